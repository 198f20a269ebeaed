package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQIOErrorException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisProcess.Release;
import org.svcmailbox.ejb.broker.BrokerProcess.Command;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.disk.LoopDisk;

/** The broker's files have their names on disk before anybody is answered. */
@ExtendWith(Brokers.Lender.class)
class NamesOnDiskTest {
  private static final int DISK_MIB = 128;
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final SimpleString QUEUE = QueueNames.of(FIRST);

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard().withJournalBuffer(480 * 1024));
    fixture.broker().createQueues(ORDERS);
  }

  private ActiveMQServer server() {
    return fixture.artemis().server();
  }

  private Path page() throws Exception {
    assertTrue(server().getPagingManager().getPageStore(QUEUE).startPaging());
    File folder = server().getPagingManager().getPageStore(QUEUE).getFolder();
    return folder.toPath().resolve("address.txt");
  }

  private void send(BrokerSession session, long seq) {
    session.enqueue(FIRST, SampleMessages.message(FIRST, seq, Instant.now()), null);
    session.commit();
  }

  /** A name that cannot be synced stands for one that would not outlive a power cut. */
  @Test
  void aPagedMessageIsCommittedOnlyWhenItsFolderIsNamedOnDisk() throws Exception {
    Path name = page();
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Files.delete(name);
      Files.createSymbolicLink(name, name);
      UnavailableException failure =
          assertThrows(UnavailableException.class, () -> send(session, 1));
      assertTrue(
          String.valueOf(failure.getCause()).contains("cannot sync " + name.getParent()),
          failure::toString);
    }
    Files.delete(name);
    Files.writeString(name, QUEUE + "\n");
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      send(session, 2);
      Files.delete(name);
      Files.createSymbolicLink(name, name);
      assertDoesNotThrow(() -> send(session, 3), "it is synced once");
    }
  }

  /** Its content is synced, but Artemis' next start would delete it by its earlier name. */
  @ParameterizedTest
  @EnumSource
  void aJournalFileIsNamedOnDiskBeforeAnythingInItIsAnswered(
      ArtemisFixture.Way way, @TempDir Path directory) throws Exception {
    Assumptions.assumeTrue(LoopDisk.isPossible(), "only root can mount a file system");
    try (LoopDisk disk = LoopDisk.mount(directory.resolve("disk"), DISK_MIB)) {
      EmbeddedArtemis artemis =
          EmbeddedArtemis.start(directory.resolve("disk"), EmbeddedArtemis.Options.standard());
      try (ArtemisBroker broker = ArtemisFixture.adapter(ArtemisFixture.access(artemis, way))) {
        broker.createQueues(ORDERS);
        InsideBroker inside = new InsideBroker(artemis.server());
        try (BrokerSession session = SampleLog.open(broker, 0)) {
          send(session, 1);
          inside.goOnInNewJournalFile();
          send(session, 2);
          assertNamedAfterACut(disk, inside.journalFile(), directory.resolve("after"));
        }
      } finally {
        artemis.discard();
      }
    }
  }

  /** The plugin sees to it, and must find the journal of the broker that loads it. */
  @Test
  void aJournalFileOfALaterBrokerIsNamedOnDiskToo(@TempDir Path directory) {
    Assumptions.assumeTrue(LoopDisk.isPossible(), "only root can mount a file system");
    try (LoopDisk disk = LoopDisk.mount(directory.resolve("disk"), DISK_MIB);
        ArtemisProcess later =
            ArtemisProcess.start(
                disk.path().resolve("broker"), Release.LATER, LaterArtemisTest.SETTINGS);
        ArtemisBroker broker = ArtemisFixture.adapter(later.access())) {
      broker.createQueues(ORDERS);
      try (BrokerSession session = SampleLog.open(broker, 0)) {
        send(session, 1);
        later.tell(Command.GO_ON_IN_NEW_JOURNAL_FILE, QUEUE);
        send(session, 2);
        assertNamedAfterACut(disk, later.journalFile(), directory.resolve("after"));
      }
      // The file system cannot be unmounted before.
      later.kill();
    }
  }

  private static void assertNamedAfterACut(LoopDisk disk, Path file, Path mount) {
    try (LoopDisk after = disk.afterPowerCut(mount)) {
      Path there = after.path().resolve(disk.path().relativize(file));
      assertTrue(Files.exists(there), () -> there + " does not exist");
    }
  }

  @Test
  void aFailureToWriteIsToldBeforeTheBrokerGoesOn() {
    List<String> told = new ArrayList<>();
    fixture.broker().onDiskError(told::add);
    server()
        .getStorageManager()
        .criticalError(new ActiveMQIOErrorException("No space left on device"));
    assertEquals(List.of("No space left on device"), told);
    Deadline.in(SOON).await(() -> !server().isStarted(), () -> "the end of the broker");
  }
}
