package org.svcmailbox.core.worker.handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.LeasingScene;

/** A handover restores these leases, and no others. */
class HandedLeasesTest {
  private static final ShardId HERE = new ShardId(new TopicName("orders"), 0);
  private static final ShardId ELSEWHERE = new ShardId(new TopicName("orders"), 1);
  private static final Envelope FIRST = message(HERE, 1);
  private static final Envelope SECOND = message(HERE, 2);

  private static Envelope message(ShardId shard, long seq) {
    return SampleMessages.message(shard, seq, Instant.EPOCH).envelope();
  }

  private static HandedLease of(Envelope message, int attempt, String receipt) {
    return new HandedLease(
        new ShardId(message.topic(), message.shard()),
        message.msgId(),
        attempt,
        new Receipt(receipt),
        SampleCallers.capability(1).holder(),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10));
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, false", "0, false"})
  void onlyTheSameAttemptIsRestored(int attempt, boolean isRestored) {
    HandedLeases wanted = new HandedLeases(List.of(of(FIRST, attempt, "r")), shard -> true);
    assertEquals(isRestored, wanted.take(HERE, FIRST) != null);
    assertTrue(wanted.hasAll(HERE), "found, whatever its attempt");
  }

  @Test
  void aMessageIsRestoredOnce() {
    HandedLease lease = of(FIRST, 1, "r");
    HandedLeases wanted = new HandedLeases(List.of(lease, of(FIRST, 1, "other")), shard -> true);
    assertEquals(lease, wanted.take(HERE, FIRST), "the first one");
    assertNull(wanted.take(HERE, FIRST));
  }

  @Test
  void onlyShardsOfTheWorkerAreSearched() {
    Envelope other = message(ELSEWHERE, 1);
    HandedLeases wanted =
        new HandedLeases(List.of(of(FIRST, 1, "r"), of(other, 1, "s")), HERE::equals);
    assertEquals(Set.of(HERE), wanted.shards());
    assertNull(wanted.take(ELSEWHERE, other));
  }

  @Test
  void aSearchIsOverWhenAllAreFound() {
    HandedLease first = of(FIRST, 1, "r");
    HandedLease second = of(SECOND, 1, "s");
    HandedLeases wanted = new HandedLeases(List.of(first, second), shard -> true);
    assertFalse(wanted.hasAll(HERE));
    assertNull(wanted.take(HERE, message(HERE, 3)), "nobody had it");
    assertEquals(second, wanted.take(HERE, SECOND));
    assertFalse(wanted.hasAll(HERE));
    assertEquals(first, wanted.take(HERE, FIRST));
    assertTrue(wanted.hasAll(HERE));
    assertTrue(wanted.hasAll(ELSEWHERE));
  }

  /** A lease until 100, or until 500 at the latest, that is written down at a moment. */
  @ParameterizedTest
  @CsvSource({"40, 60, 460", "100, 0, 400", "150, 0, 350", "500, 0, 0", "600, 0, 0"})
  void aLeaseIsHandedOverWithTheTimeThatIsLeft(long now, long left, long longest) {
    Lease lease = new LeasingScene(1).lease(0, 100, 500);
    assertEquals(
        new HandedLease(
            lease.shard().id(),
            lease.msgId(),
            1,
            lease.receipt(),
            lease.holder(),
            Duration.ofNanos(left),
            Duration.ofNanos(longest)),
        HandedLease.of(lease, now));
  }
}
