package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.broker.ArtemisProcess.Release;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.disk.LoopDisk;

/**
 * The broker, with the settings that operators get, after its disk lost all that was not synced.
 * Needs root and a loop device; skipped where they are not to be had.
 */
@Order(1)
class BrokerPowerCutTest {
  private static final int DISK_MIB = 128;
  private static final int COMMITS = 100;
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final String SYNCED =
      "<journal-sync-transactional>true</journal-sync-transactional>";

  @TempDir private Path directory;

  @BeforeEach
  void skipWithoutADisk() {
    Assumptions.assumeTrue(LoopDisk.isPossible(), "only root can mount a file system");
  }

  @Test
  void everyCommitSurvivesAPowerCut() {
    assertEquals(sent(), foundAfterACut(Map.of()));
  }

  /** Otherwise the test above would prove nothing. */
  @Test
  void theCutLosesWhatIsNotSynced() {
    assertNotEquals(sent(), foundAfterACut(Map.of(SYNCED, SYNCED.replace("true", "false"))));
  }

  private static List<Long> sent() {
    return LongStream.rangeClosed(1, COMMITS).boxed().toList();
  }

  private List<Long> foundAfterACut(Map<String, String> replaced) {
    try (LoopDisk disk = LoopDisk.mount(directory.resolve("disk"), DISK_MIB);
        LoopDisk after = commitAndCut(disk, replaced);
        ArtemisProcess broker = start(after, Map.of());
        ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
      List<Long> found = SampleMessages.seqs(received(adapter));
      // The file system cannot be unmounted before.
      broker.kill();
      return found;
    }
  }

  /** Commits message after message; returns the disk as a cut after the last answer leaves it. */
  private LoopDisk commitAndCut(LoopDisk disk, Map<String, String> replaced) {
    try (ArtemisProcess broker = start(disk, replaced);
        ArtemisBroker adapter = ArtemisFixture.adapter(broker.access())) {
      awaitAnswer(adapter);
      adapter.createQueues(ORDERS);
      try (BrokerSession session = SampleLog.open(adapter, 0)) {
        for (long seq : sent()) {
          session.enqueue(FIRST, SampleMessages.message(FIRST, seq, Instant.now()), null);
          session.commit();
        }
        return disk.afterPowerCut(directory.resolve("after"));
      } finally {
        broker.kill();
      }
    }
  }

  /** A busy machine takes long to start a broker. */
  private static void awaitAnswer(ArtemisBroker broker) {
    Deadline.in(SOON)
        .await(
            () -> {
              try {
                broker.requireAnswer();
                return true;
              } catch (UnavailableException e) {
                return false;
              }
            },
            () -> "a broker that answers");
  }

  private static ArtemisProcess start(LoopDisk disk, Map<String, String> replaced) {
    return ArtemisProcess.start(disk.path().resolve("broker"), Release.OURS, replaced);
  }

  private static List<Delivery> received(ArtemisBroker broker) {
    awaitAnswer(broker);
    List<Delivery> found = new ArrayList<>();
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      List<Delivery> more = session.fetch(FIRST, COMMITS, true).deliveries();
      while (!more.isEmpty()) {
        found.addAll(more);
        more = session.fetch(FIRST, COMMITS, true).deliveries();
      }
    }
    return found;
  }
}
