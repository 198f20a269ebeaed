package org.svcmailbox.broker;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

class AnnounceWaitingTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path store;

  private static void awaitTold(PairMember member, boolean waits) {
    Deadline.in(SOON)
        .await(() -> member.tellsThatOneWaits() == waits, () -> "tells that one waits: " + !waits);
  }

  /** For what must not happen. */
  private static void passBeats() {
    LockSupport.parkNanos(PairMember.EVERY.multipliedBy(5).toNanos());
  }

  @Test
  void theServingBrokerTellsWhetherAnotherWaits() throws Exception {
    PairMember first = PairMember.serving(store);
    ProcessTree second = PairMember.waiting(store);
    awaitTold(first, true);
    second.freeze();
    awaitTold(first, false);
    second.thaw();
    awaitTold(first, true);
    // So soon that it cannot tell, and the store has the address.
    second.kill();
    first.close();
    try (PairMember next = PairMember.serving(store)) {
      awaitTold(next, false);
    }
  }

  /** One that was killed while it waited leaves the file. */
  @Test
  void aFileThatNobodyChangesIsNoBroker() throws Exception {
    Files.writeString(store.resolve(AnnounceWaiting.FILE), "gone\n");
    try (PairMember one = PairMember.serving(store)) {
      passBeats();
      assertFalse(one.tellsThatOneWaits());
    }
  }

  @Test
  void aBrokerAloneTellsNothing() throws Exception {
    Path file = store.resolve(AnnounceWaiting.FILE);
    try (PairMember one = PairMember.alone(store)) {
      for (int i = 0; i < 5; i++) {
        Files.writeString(file, "beat " + i);
        passBeats();
        assertFalse(one.tellsThatOneWaits());
      }
    }
  }
}
