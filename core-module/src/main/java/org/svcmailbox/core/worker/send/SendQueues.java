package org.svcmailbox.core.worker.send;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.svcmailbox.core.topic.ShardId;

/**
 * A worker's waiting SENDs, by shard. Each step takes equally from all shards, so that an
 * overloaded shard does not delay the others. SENDs of a shard keep their order. The worker's inbox
 * bounds them: it counts them until they are taken.
 */
final class SendQueues {
  private final Map<ShardId, Deque<Send>> queues = new HashMap<>();

  /** Shards with waiting SENDs, in the order of their turns. */
  private final Deque<ShardId> turns = new ArrayDeque<>();

  void add(Send send) {
    Deque<Send> queue = queues.get(send.shard());
    if (queue == null) {
      queue = new ArrayDeque<>();
      queues.put(send.shard(), queue);
      turns.add(send.shard());
    }
    queue.add(send);
  }

  boolean isEmpty() {
    return turns.isEmpty();
  }

  /**
   * Takes at most {@code most} SENDs, equally from every shard as far as it has them; returns how
   * many.
   */
  int take(int most, Consumer<Send> to) {
    int left = most;
    while (left > 0 && !turns.isEmpty()) {
      int share = Math.max(1, left / turns.size());
      for (int i = turns.size(); i > 0 && left > 0; i--) {
        left -= takeTurn(Math.min(share, left), to);
      }
    }
    return most - left;
  }

  private int takeTurn(int most, Consumer<Send> to) {
    ShardId shard = turns.remove();
    Deque<Send> queue = queues.get(shard);
    int taken = 0;
    while (queue != null && taken < most && !queue.isEmpty()) {
      to.accept(queue.remove());
      taken++;
    }
    if (queue == null || queue.isEmpty()) {
      queues.remove(shard);
    } else {
      turns.add(shard);
    }
    return taken;
  }
}
