package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.metrics.Family;

/** The metrics of a mailbox's limits match what happened. */
class MailboxMetricsTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(5);

  private final MailboxRig rig =
      new MailboxRig(
          1, Map.of("mailbox.workers", "2", "mailbox.topics.max", "7", "mailbox.max_waiting", "9"));

  private Map<String, Double> told(Family family) {
    Map<String, Double> told = new TreeMap<>();
    rig.mailbox().metrics().stream()
        .filter(metric -> metric.family() == family)
        .forEach(metric -> told.put(metric.tags().get("bound"), metric.now()));
    return told;
  }

  private double used(String bound) {
    return told(Family.BOUND_USED).getOrDefault(bound, Double.NaN);
  }

  @Test
  void everyBoundTellsBothItsUseAndItsCapacity() {
    TreeSet<String> bounds = new TreeSet<>(told(Family.BOUND_USED).keySet());
    assertEquals(
        "[dedup_capacity, global_inflight, global_inflight_bytes, history_reads, ledger_bytes, "
            + "max_waiting, message_lookups, pending_bytes, stream_inflight, streams, topics_max, "
            + "worker_inbox]",
        bounds.toString());
    Map<String, Double> capacities = told(Family.BOUND_CAPACITY);
    assertEquals(bounds, capacities.keySet());
    assertEquals(7, capacities.get("topics_max"));
    assertEquals(9, capacities.get("max_waiting"));
    assertEquals(20_000, capacities.get("global_inflight"));
    assertEquals(2 * 4 * 10_000, capacities.get("worker_inbox"), "both workers'");
  }

  @Test
  void whatIsDoneShowsInTheBoundsItCounts() {
    CompletableFuture<SendOutcome> sent = rig.submit("t", "k");
    assertEquals(1, used("pending_bytes"));
    assertEquals(1, used("worker_inbox"));
    rig.run();
    assertTrue(sent.isDone());
    assertEquals(0, used("pending_bytes"));
    assertEquals(0, used("worker_inbox"));
    assertEquals(1, used("dedup_capacity"));
    assertEquals(1, used("topics_max"));

    rig.recv("t", 1, VISIBILITY, Duration.ZERO);
    rig.run();
    assertEquals(1, used("global_inflight"));
    assertEquals(1, used("global_inflight_bytes"));

    rig.recv("t", 1, VISIBILITY, Duration.ofSeconds(1));
    assertEquals(1, used("max_waiting"));
    rig.pass(Duration.ofSeconds(6));
    assertEquals(0, used("max_waiting"));
  }
}
