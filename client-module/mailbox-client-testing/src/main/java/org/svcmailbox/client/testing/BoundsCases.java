package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.CountAccuracy;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.SendResult;

/** Capacity, counts, purges, and arguments that are out of bounds. */
abstract class BoundsCases extends ClosingCases {
  @Test
  void aFullMailboxRefusesUntilThereIsRoom() {
    if (!mailbox().features().bounded()) {
      assertThrows(UnsupportedOperationException.class, () -> keep(openBounded(name(), 4)));
      return;
    }
    Mailbox<String, String> mailbox = keep(openBounded(name(), 4));
    IntStream.range(0, 4).forEach(i -> mailbox.send(independent("apple " + i).build()));

    assertThrows(MailboxFullException.class, () -> mailbox.send("one too many"));
    List<SendResult> results =
        mailbox.sendAll(List.of(Outgoing.of("one too many"), Outgoing.of("two too many")));
    results.forEach(result -> assertThrows(MailboxFullException.class, result::orThrow));
    Message<String, String> message = receive(mailbox);
    assertThrows(MailboxFullException.class, () -> mailbox.send("held messages count"));

    message.acknowledge();
    eventually(() -> assertDoesNotThrow(() -> mailbox.send("fits")));
    assertEquals(4, receive(mailbox, 4).size());
    assertNothing(mailbox);
  }

  @Test
  void everyMessageIsCountedOnce() {
    Mailbox<String, String> mailbox = mailbox();
    boolean delays = !mailbox.features().maxDelay().isZero();
    mailbox.send(independent("ready").build());
    mailbox.send(independent("held").build());
    Message<String, String> held = receive(mailbox);
    if (delays) {
      mailbox.send(Outgoing.builder("delayed").delay(Duration.ofMinutes(1)).build());
    }

    if (mailbox.features().count() == CountAccuracy.LAGGING) {
      assertTrue(mailbox.approximateCount() >= 0);
    } else {
      long all = delays ? 3 : 2;
      eventually(() -> assertEquals(all, mailbox.approximateCount()));
      held.nack(Duration.ZERO);
      eventually(() -> assertEquals(all, mailbox.approximateCount()));
      receive(mailbox).acknowledge();
      eventually(() -> assertEquals(all - 1, mailbox.approximateCount()));
    }
  }

  @Test
  void aPurgeDeletesWhatIsReadyAndDelayed() {
    Mailbox<String, String> mailbox = mailbox();
    boolean delays = !mailbox.features().maxDelay().isZero();
    mailbox.send(independent("apple").build());
    mailbox.send(independent("pear").build());
    if (delays) {
      mailbox.send(Outgoing.builder("plum").delay(shortly()).build());
    }

    OptionalLong purged = mailbox.purge();

    purged.ifPresent(count -> assertEquals(delays ? 3 : 2, count));
    passTime(shortly());
    assertNothing(mailbox);
    mailbox.send("after the purge");
    assertEquals("after the purge", receive(mailbox).body());
  }

  @Test
  void aPurgedMessageIsNotSettledTwice() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox, shortly());

    mailbox.purge();

    try {
      message.acknowledge();
    } catch (ReceiptHandleExpiredException purgedToo) {
      assertFalse(message.isFinalized());
    }
    passTime(shortly());
    assertNothing(mailbox);
  }

  @Test
  @SuppressWarnings("NullAway") // The test passes null on purpose.
  void nullIsRefused() {
    Mailbox<String, String> mailbox = mailbox();
    Message<String, String> held = held();
    for (Executable call :
        List.<Executable>of(
            () -> mailbox.send((String) null),
            () -> mailbox.send((Outgoing<String, String>) null),
            () -> mailbox.send("apple", null),
            () -> mailbox.sendAll(null),
            () -> mailbox.sendAsync(null),
            () -> mailbox.receive(1, null, Duration.ZERO),
            () -> mailbox.receive(1, LONG, null),
            () -> held.reply(null),
            () -> held.nack(null, ""),
            () -> held.nack(Duration.ZERO, null),
            () -> held.extendVisibility(null))) {
      assertThrows(NullPointerException.class, call);
    }
    assertFalse(held.isFinalized());
    assertNothing(mailbox);
  }

  @Test
  void valuesOutOfBoundsAreRefused() {
    Mailbox<String, String> mailbox = mailbox();
    BackendFeatures can = mailbox.features();
    mailbox.send("apple");
    Message<String, String> held = receive(mailbox);
    Duration negative = Duration.ofNanos(-1);
    Duration tooShort = can.minVisibility().minusNanos(1);
    List<Executable> calls =
        new ArrayList<>(
            List.of(
                () -> mailbox.receive(0, LONG, Duration.ZERO),
                () -> mailbox.receive(-1, LONG, Duration.ZERO),
                () -> mailbox.receive(can.maxBatch() + 1, LONG, Duration.ZERO),
                () -> mailbox.receive(1, Duration.ZERO, Duration.ZERO),
                () -> mailbox.receive(1, negative, Duration.ZERO),
                () -> mailbox.receive(1, tooShort, Duration.ZERO),
                () -> mailbox.receive(1, LONG, negative),
                () -> mailbox.sendAll(tooMany(can.maxBatch() + 1)),
                () -> held.nack(negative, ""),
                () -> held.extendVisibility(Duration.ZERO),
                () -> held.extendVisibility(tooShort),
                () -> held.extendVisibility(negative)));
    if (!can.maxWait().equals(BackendFeatures.UNBOUNDED)) {
      calls.add(() -> mailbox.receive(1, LONG, can.maxWait().plusNanos(1)));
    }
    if (!can.maxVisibility().equals(BackendFeatures.UNBOUNDED)) {
      Duration tooLong = can.maxVisibility().plusNanos(1);
      calls.add(() -> mailbox.receive(1, tooLong, Duration.ZERO));
      calls.add(() -> held.nack(tooLong, ""));
      calls.add(() -> held.extendVisibility(tooLong));
    }
    calls.forEach(call -> assertThrows(IllegalArgumentException.class, call));
    assertFalse(held.isFinalized());
    assertNothing(mailbox);
    held.acknowledge();
  }

  @Test
  void theLargestValuesAreTaken() {
    Mailbox<String, String> mailbox = mailbox();
    BackendFeatures can = mailbox.features();
    mailbox.send("apple");
    settleDown(mailbox, 1);

    Message<String, String> message =
        mailbox.receive(can.maxBatch(), can.maxVisibility(), Duration.ZERO).get(0);

    message.extendVisibility(can.maxVisibility());
    assertNothing(mailbox);
    message.nack(can.maxVisibility(), "never again");
    assertNothing(mailbox);
  }

  @Test
  void aMalformedNameIsRefused() {
    for (String name : List.of("", "a b", "a/b", "ä", "x".repeat(256))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> keep(open(name, ContractCodec.INSTANCE, MailboxResolver.of())));
    }
  }

  private static List<Outgoing<String, Object>> tooMany(int count) {
    return IntStream.range(0, count).mapToObj(i -> Outgoing.of("apple " + i)).toList();
  }
}
