package org.svcmailbox.core.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a step's transaction changes in the counts of queues and dead letters: applied once it is on
 * disk. Part of one worker.
 */
final class StagedCounts {
  private record Death(ShardGauge shard, DeadLetterReason reason) {}

  private final Map<ShardGauge, Integer> changes = new HashMap<>();
  private final List<Death> deaths = new ArrayList<>();

  /** A message goes into its queue. */
  void sent(ShardState shard) {
    changes.merge(shard.gauge(), 1, Integer::sum);
  }

  /** A message leaves its queue for good. */
  void acknowledged(ShardState shard) {
    changes.merge(shard.gauge(), -1, Integer::sum);
  }

  /** A message leaves its queue for the dead letters. */
  void died(ShardState shard, DeadLetterReason reason) {
    acknowledged(shard);
    deaths.add(new Death(shard.gauge(), reason));
  }

  /** The transaction is on disk. */
  void committed() {
    changes.forEach(ShardGauge::changeDepth);
    deaths.forEach(death -> death.shard().topic().died(death.reason()));
    clear();
  }

  /** Nobody knows what became of it: the queues are counted anew. */
  void broken() {
    deaths.forEach(death -> death.shard().topic().deadLettersChanged());
    clear();
  }

  private void clear() {
    if (!changes.isEmpty()) {
      changes.clear();
      deaths.clear();
    }
  }
}
