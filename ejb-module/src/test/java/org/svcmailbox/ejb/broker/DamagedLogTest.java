package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;

/** Entries of a log that a disk alters: a start names them, and an operator can go on. */
@ExtendWith(Brokers.Lender.class)
final class DamagedLogTest {
  private static final long BATCH = 2;

  /** A start appends an entry, and each batch a record and a blank, until the log is full. */
  private static final long ENTRY = BatchLogEntry.SEED + 2 * BATCH;

  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @Test
  void aFlippedBitIsFoundNamedAndAccepted() {
    try (MailboxOnArtemis mailbox = mailbox(Map.of())) {
      for (String key : List.of("one", "two", "three")) {
        assertInstanceOf(Accepted.class, mailbox.send(key));
      }
    }
    fixture.crash(DamagedLogTest::flipABit);

    String refusal =
        String.valueOf(
            assertThrows(StoresRefusedException.class, () -> mailbox(Map.of())).getMessage());
    assertTrue(refusal.contains("log of worker 0 in the broker is damaged"), refusal);
    assertTrue(refusal.contains("entry " + ENTRY + " "), refusal);

    String code = refusal.substring(refusal.lastIndexOf('=') + 1);
    try (MailboxOnArtemis mailbox = mailbox(Map.of("mailbox.accept", code))) {
      assertTrue(assertInstanceOf(Accepted.class, mailbox.send("two")).duplicate());
      assertInstanceOf(Accepted.class, mailbox.send("four"));
    }
    fixture.crash();
    try (MailboxOnArtemis mailbox = mailbox(Map.of())) {
      assertEquals("", mailbox.mailbox().storeMismatch());
      assertTrue(assertInstanceOf(Accepted.class, mailbox.send("four")).duplicate());
    }
  }

  private MailboxOnArtemis mailbox(Map<String, String> changed) {
    return new MailboxOnArtemis(fixture.broker(), store, changed);
  }

  private static void flipABit(Path directory) {
    byte[] numbers = ByteBuffer.allocate(2 * Long.BYTES).putLong(ENTRY).putLong(BATCH).array();
    int flipped = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        int here = 0;
        for (int at = find(bytes, numbers, 0); at >= 0; at = find(bytes, numbers, at + 1)) {
          bytes[at + numbers.length + 5 * Long.BYTES] ^= 4;
          here++;
        }
        if (here > 0) {
          Files.write(file, bytes);
        }
        flipped += here;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // The journal may have copies, also in a file that it is about to reuse.
    assertTrue(flipped > 0, "no bit was flipped");
  }

  private static int find(byte[] bytes, byte[] wanted, int from) {
    for (int at = from; at <= bytes.length - wanted.length; at++) {
      if (ByteBuffer.wrap(bytes, at, wanted.length).equals(ByteBuffer.wrap(wanted))) {
        return at;
      }
    }
    return -1;
  }
}
