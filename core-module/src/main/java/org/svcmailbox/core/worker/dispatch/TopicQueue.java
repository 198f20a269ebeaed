package org.svcmailbox.core.worker.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.ShardState;

/** A topic's shards in one worker, its waiting calls, oldest first, and its watches. */
final class TopicQueue {
  private final TopicName name;
  private final Deque<RecvCall> waiting = new ArrayDeque<>();
  private final List<ReadyCall> watches = new ArrayList<>();
  private List<ShardState> shards;
  private int next;

  TopicQueue(TopicName name, List<ShardState> shards) {
    this.name = name;
    this.shards = shards;
  }

  TopicName name() {
    return name;
  }

  Deque<RecvCall> waiting() {
    return waiting;
  }

  /** Calls that only want to know when there are messages. */
  List<ReadyCall> watches() {
    return watches;
  }

  /** Whether a call waits for messages. */
  boolean isAwaited() {
    return !waiting.isEmpty() || !watches.isEmpty();
  }

  List<ShardState> shards() {
    return shards;
  }

  void shards(List<ShardState> open) {
    shards = open;
  }

  boolean isUnused() {
    return shards.isEmpty() && !isAwaited();
  }

  /** The index of the first shard; each call starts at another one. */
  int turn() {
    int turn = next;
    int count = shards.size();
    next = count == 0 ? 0 : (next + 1) % count;
    return turn;
  }

  /** Adds a call, and removes answered calls from the head. */
  void add(RecvCall call) {
    RecvCall first;
    while ((first = waiting.peek()) != null && !first.isOpen()) {
      waiting.remove();
    }
    waiting.add(call);
  }
}
