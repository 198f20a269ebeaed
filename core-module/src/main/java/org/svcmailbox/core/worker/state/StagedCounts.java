package org.svcmailbox.core.worker.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * Changes that a step's transaction makes to the counts of queues and dead letters, applied once it
 * is on disk.
 */
public final class StagedCounts implements StepPart {
  private record Death(ShardCounters shard, DeadLetterReason reason) {}

  private record Delta(long messages, long bytes) {
    Delta and(Delta more) {
      return new Delta(messages + more.messages, bytes + more.bytes);
    }
  }

  private final Map<ShardCounters, Delta> changes = new HashMap<>();
  private final List<Death> deaths = new ArrayList<>();

  public void sent(ShardState shard, long bytes) {
    change(shard, 1, bytes);
  }

  void acknowledged(ShardState shard, long bytes) {
    change(shard, -1, -bytes);
  }

  /** Replaces a message in a queue by one that is larger by {@code growth} bytes. */
  void replaced(ShardState shard, long growth) {
    change(shard, 0, growth);
  }

  public void died(ShardState shard, DeadLetterReason reason, long bytes) {
    acknowledged(shard, bytes);
    deaths.add(new Death(shard.counters(), reason));
  }

  private void change(ShardState shard, long messages, long bytes) {
    changes.merge(shard.counters(), new Delta(messages, bytes), Delta::and);
  }

  @Override
  public void onCommit() {
    changes.forEach((shard, change) -> shard.change(change.messages(), change.bytes()));
    deaths.forEach(death -> death.shard().topic().died(death.reason(), 1));
    clear();
  }

  /** The outcome is unknown, so the queues are counted again. */
  @Override
  public void onSessionLost() {
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
