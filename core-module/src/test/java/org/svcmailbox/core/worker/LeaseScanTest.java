package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerScene;

class LeaseScanTest {
  private final WorkerScene scene = new WorkerScene();
  private final TopicName topic = scene.topic.name();
  private final LeaseScan leases = new LeaseScan(scene.context);

  /** Takes a lease whose latest end is at {@code until}. */
  private Lease lease(long until) {
    scene.put(scene.message());
    return scene.lease(scene.fetch(), until);
  }

  private List<HeldLease> oldest(TopicName of) {
    assertTrue(leases.advance(), "one step");
    return leases.oldest(of);
  }

  private static List<Object> ids(List<HeldLease> found) {
    return found.stream().<Object>map(HeldLease::msgId).toList();
  }

  @Test
  void theOldestComeFirstAndOnlySoMany() {
    Lease young = lease(9_000);
    Lease old = lease(-7_000);
    Lease middle = lease(0);
    assertEquals(List.of(old.msgId(), middle.msgId(), young.msgId()), ids(oldest(topic)));
    scene.time.advance(LeaseScan.VALID);
    for (int i = 0; i < HoldingService.MOST_LEASES; i++) {
      lease(8_000 - i);
    }
    List<HeldLease> most = oldest(topic);
    assertEquals(HoldingService.MOST_LEASES, most.size());
    assertEquals(old.msgId(), most.get(0).msgId());
  }

  @Test
  void aWorkerLooksOnceASecondForAllTopics() {
    Lease first = lease(1);
    assertEquals(List.of(), oldest(new TopicName("another")));
    Lease second = lease(2);
    List<HeldLease> found = oldest(topic);
    assertEquals(List.of(first.msgId()), ids(found));
    scene.time.advance(LeaseScan.VALID.minusNanos(1));
    assertSame(found, oldest(topic));
    scene.time.advance(Duration.ofNanos(1));
    assertEquals(List.of(first.msgId(), second.msgId()), ids(oldest(topic)));
    scene.context.leases().remove(first);
    scene.time.advance(LeaseScan.VALID);
    assertEquals(List.of(second.msgId()), ids(oldest(topic)));
  }

  /** Clients' calls come in between; the figures stay those of the last scan until it ends. */
  @Test
  void aLongScanTakesSeveralSteps() {
    Lease first = lease(1);
    assertEquals(List.of(first.msgId()), ids(oldest(topic)));
    for (int i = 0; i < 2 * LeaseScan.STEP; i++) {
      lease(2);
    }
    scene.time.advance(LeaseScan.VALID);
    assertFalse(leases.advance());
    assertFalse(leases.advance());
    assertEquals(1, leases.oldest(topic).size());
    assertEquals(1, leases.holders().greatest().get(0).count());
    assertTrue(leases.advance());
    assertEquals(HoldingService.MOST_LEASES, leases.oldest(topic).size());
    assertEquals(2 * LeaseScan.STEP + 1, leases.holders().greatest().get(0).count());
  }
}
