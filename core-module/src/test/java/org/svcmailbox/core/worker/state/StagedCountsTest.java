package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.message.DeadLetterReason;

class StagedCountsTest {
  private final ShardState shard = new LeasingScene(10).leases.get(0).shard();
  private final ShardCounters counters = shard.counters();
  private final StagedCounts counts = new StagedCounts();

  private List<Long> counted() {
    return List.of(
        counters.depth(),
        counters.bytes(),
        counters.topic().messages().count(),
        counters.topic().bytes().count());
  }

  private void stageAll() {
    counts.sent(shard, 100);
    counts.sent(shard, 50);
    counts.sent(shard, 7);
    counts.acknowledged(shard, 50);
    counts.replaced(shard, 20);
    counts.died(shard, DeadLetterReason.REJECTED, 7);
  }

  @Test
  void changesCountOnceTheirTransactionIsOnDisk() {
    stageAll();
    assertEquals(List.of(0L, 0L, 0L, 0L), counted());
    counts.onCommit();
    assertEquals(List.of(1L, 120L, 1L, 120L), counted());
    counts.onCommit();
    assertEquals(List.of(1L, 120L, 1L, 120L), counted());
  }

  @Test
  void aLostSessionChangesNothingAndHasTheDeadLettersCounted() {
    assertTrue(counters.topic().takeDeadLettersChanged(), "a new topic");
    stageAll();
    counts.onSessionLost();
    assertEquals(List.of(0L, 0L, 0L, 0L), counted());
    assertTrue(counters.topic().takeDeadLettersChanged());
    counts.onCommit();
    assertEquals(List.of(0L, 0L, 0L, 0L), counted());
    assertFalse(counters.topic().takeDeadLettersChanged());
  }
}
