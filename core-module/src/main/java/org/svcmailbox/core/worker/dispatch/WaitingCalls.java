package org.svcmailbox.core.worker.dispatch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.time.DeadlineQueue;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's waiting RECV calls and watches by topic. A wait ends at its deadline, with its topic
 * or with its worker.
 */
public final class WaitingCalls {
  private final WorkerContext context;
  private final Map<TopicName, TopicQueue> topics = new HashMap<>();
  private final DeadlineQueue<RecvCall> deadlines = new DeadlineQueue<>();

  public WaitingCalls(WorkerContext context) {
    this.context = context;
  }

  TopicQueue queue(TopicName topic) {
    return topics.computeIfAbsent(topic, name -> new TopicQueue(name, context.openShards(name)));
  }

  /** Null for a topic that had no call yet. */
  @Nullable TopicQueue known(TopicName topic) {
    return topics.get(topic);
  }

  Set<TopicName> topics() {
    return topics.keySet();
  }

  void add(TopicQueue queue, RecvCall call) {
    queue.add(call);
    deadlines.compact(waiting -> !waiting.isOpen());
    deadlines.add(call.deadline(), call);
  }

  /** Ends the waits whose time is over; returns how many. */
  public int endDue(long now) {
    int ended = 0;
    RecvCall call;
    while ((call = deadlines.pollDue(now)) != null) {
      ended += endEmpty(call) ? 1 : 0;
    }
    return ended;
  }

  public long untilFirst(long now, long idle) {
    return deadlines.untilFirst(now, idle);
  }

  /** Checks the calls again, because topics may have changed while there was no session. */
  void renew() {
    topics.values().forEach(this::renew);
    topics.values().removeIf(TopicQueue::isUnused);
  }

  private void renew(TopicQueue queue) {
    queue.shards(context.openShards(queue.name()));
    for (RecvCall call : List.copyOf(queue.waiting())) {
      if (!context.ports().topics().isCurrent(call.topic())) {
        queue.waiting().remove(call);
        endEmpty(call);
      } else if (context.isElsewhere(queue.name(), call.request().shard())) {
        queue.waiting().remove(call);
        context.replies().replyNow(() -> call.refuse(Refusals.notHere()));
      }
    }
    answerWatches(queue);
  }

  /** Has all who watch a topic look: the answer of a RECV may have changed. */
  private void answerWatches(TopicQueue queue) {
    List<ReadyCall> watches = List.copyOf(queue.watches());
    queue.watches().clear();
    watches.forEach(watch -> context.replies().replyNow(watch::answer));
  }

  /** Forgets a topic that is about to be deleted, and ends its calls. */
  public void drop(TopicName topic) {
    TopicQueue queue = topics.remove(topic);
    if (queue != null) {
      queue.waiting().forEach(this::endEmpty);
      answerWatches(queue);
    }
  }

  private boolean endEmpty(RecvCall call) {
    boolean isOurs = call.claim();
    if (isOurs) {
      context.replies().replyNow(() -> call.answer(Delivered.NONE));
    }
    return isOurs;
  }

  /** Refuses all calls; returns how many were open. */
  public int dismiss(Refusal refusal) {
    int dismissed = 0;
    for (TopicQueue queue : topics.values()) {
      for (RecvCall call : queue.waiting()) {
        if (call.isOpen()) {
          context.replies().replyNow(() -> call.refuse(refusal));
          dismissed++;
        }
      }
      queue.waiting().clear();
      answerWatches(queue);
    }
    return dismissed;
  }

  /** Refuses all calls of a dying worker, including the ones that it has claimed. */
  public void orphan(LeaseDelivery delivery, Refusal refusal) {
    topics.values().stream()
        .flatMap(queue -> queue.waiting().stream())
        .forEach(call -> delivery.orphan(call, refusal));
    topics.values().stream().flatMap(queue -> queue.watches().stream()).forEach(ReadyCall::answer);
    topics.clear();
  }
}
