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

  private record Delta(long messages, long bytes, long sent, long acked) {
    Delta and(Delta more) {
      return new Delta(
          messages + more.messages, bytes + more.bytes, sent + more.sent, acked + more.acked);
    }
  }

  private final Map<ShardCounters, Delta> changes = new HashMap<>();
  private final List<Death> deaths = new ArrayList<>();

  public void sent(ShardState shard, long bytes) {
    change(shard, new Delta(1, bytes, 1, 0));
  }

  void acknowledged(ShardState shard, long bytes) {
    change(shard, new Delta(-1, -bytes, 0, 1));
  }

  /** A message left its queue without an ACK. */
  void removed(ShardState shard, long bytes) {
    change(shard, new Delta(-1, -bytes, 0, 0));
  }

  /** Replaces a message in a queue by one that is larger by {@code growth} bytes. */
  void replaced(ShardState shard, long growth) {
    change(shard, new Delta(0, growth, 0, 0));
  }

  public void died(ShardState shard, DeadLetterReason reason, long bytes) {
    removed(shard, bytes);
    deaths.add(new Death(shard.counters(), reason));
  }

  private void change(ShardState shard, Delta delta) {
    changes.merge(shard.counters(), delta, Delta::and);
  }

  @Override
  public void onCommit() {
    changes.forEach(StagedCounts::apply);
    deaths.forEach(death -> death.shard().topic().died(death.reason(), 1));
    clear();
  }

  private static void apply(ShardCounters shard, Delta change) {
    shard.change(change.messages(), change.bytes());
    shard.topic().committed(change.sent(), change.acked());
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
