package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.capability.caveat.Operation;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.time.DeadlineQueue;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * Leases prefetched messages to RECV calls and keeps the calls that wait. Waiting needs neither a
 * thread nor polling: the broker reports when a shard has messages. Part of one worker.
 */
final class MessageDispatcher {
  /** The delay before a call stopped by a limit is tried again. */
  private static final long LOOK_AGAIN = Duration.ofMillis(50).toNanos();

  /** A topic's shards in this worker and its waiting calls, oldest first. */
  private static final class TopicQueue {
    private final TopicName name;
    private final Deque<RecvCall> waiting = new ArrayDeque<>();
    private List<ShardState> shards;
    private int next;

    private TopicQueue(TopicName name, List<ShardState> shards) {
      this.name = name;
      this.shards = shards;
    }
  }

  /** The broker's report that a shard has messages. */
  private record Arrival(ShardId shard, long at) {}

  private final WorkerContext context;
  private final Receipts receipts;
  private final Runnable wake;
  private final Consumer<List<Lease>> takeBack;
  private final Prefetcher prefetcher;
  private final Inspection inspection;
  private final LeaseCollector collector;
  private final Map<TopicName, TopicQueue> topics = new HashMap<>();
  private final DeadlineQueue<RecvCall> waitDeadlines = new DeadlineQueue<>();
  private final Queue<Arrival> arrived = new ConcurrentLinkedQueue<>();

  /** Topics that may have messages for waiting calls, and when that was noticed. */
  private final Map<TopicName, Long> toServe = new LinkedHashMap<>();

  private final Instant bornAt;

  /** Another worker may free the place that a call needs, without telling. */
  private boolean starved;

  /** Calls {@code wake} from the broker's threads, and {@code takeBack} from any. */
  MessageDispatcher(WorkerContext context, Runnable wake, Consumer<List<Lease>> takeBack) {
    this.context = context;
    this.wake = wake;
    this.takeBack = takeBack;
    this.receipts = new Receipts(context.ports().random());
    this.bornAt = context.ports().wall().instant();
    this.prefetcher = new Prefetcher(context, this::toServe);
    this.inspection = new Inspection(context);
    this.collector = new LeaseCollector(context, prefetcher, inspection, receipts);
  }

  Prefetcher prefetcher() {
    return prefetcher;
  }

  /** Whether a lease of a previous life of this worker may have had the receipt. */
  boolean isOfEarlierLife(Receipt receipt, MsgId msgId) {
    return !receipts.isOurs(receipt) && !msgId.createdAt().isAfter(bornAt);
  }

  /** Shows the first available messages. Dead-letters those that must not be shown. */
  List<StoredMessage> peek(ShardState shard, Topic topic, int most) {
    List<Delivery> first;
    List<Delivery> passed;
    do {
      first = prefetcher.peek(shard, most);
      passed =
          first.stream().filter(one -> inspection.passOrQuarantine(shard, topic, one)).toList();
    } while (passed.size() < first.size());
    return passed.stream().map(Delivery::message).toList();
  }

  void recv(RecvCall call) {
    if (!call.isOpen()) {
      return;
    }
    TopicQueue queue = queue(call.topic().name());
    LeaseBatch batch = collect(queue, call, false);
    if (batch.isEmpty() && !call.waits()) {
      batch = collect(queue, call, true);
    }
    if (!batch.isEmpty()) {
      deliver(call, batch.taken(), call.since());
    } else if (call.waits()) {
      await(queue, call);
    } else if (call.countPass(batch.stoppedBy()) && call.claim()) {
      context.replies().replyNow(() -> call.answer(nothing(call)));
    }
  }

  /** The answer when no worker had a message, or room to lease one. */
  private RecvOutcome nothing(RecvCall call) {
    InflightLimits.Full full = call.stoppedBy();
    return full == null
        ? Delivered.NONE
        : context.limits().inflightLimits().refusal(full, countersOf(call.topic()));
  }

  /** Serves waiting calls; returns how many. */
  int serve() {
    Arrival arrival;
    while ((arrival = arrived.poll()) != null) {
      ShardState known = context.known(arrival.shard());
      if (known != null) {
        known.watching(false);
        toServe.putIfAbsent(arrival.shard().topic(), arrival.at());
      }
    }
    if (starved) {
      starved = false;
      toServeAll();
    }
    int served = 0;
    for (Map.Entry<TopicName, Long> known : List.copyOf(toServe.entrySet())) {
      TopicQueue queue = topics.get(known.getKey());
      served += queue == null ? 0 : serve(queue, known.getValue());
    }
    toServe.clear();
    return served;
  }

  int endWaits(long now) {
    int ended = 0;
    RecvCall call;
    while ((call = waitDeadlines.pollDue(now)) != null) {
      RecvCall over = call;
      if (over.claim()) {
        context.replies().replyNow(() -> over.answer(Delivered.NONE));
        ended++;
      }
    }
    return ended;
  }

  long untilFirst(long now, long idle) {
    long nanos = starved ? Math.min(idle, LOOK_AGAIN) : idle;
    return waitDeadlines.untilFirst(now, nanos);
  }

  /** Puts unread messages back without spending an attempt. */
  void giveBack(List<Lease> unread) {
    for (Lease lease : unread) {
      if (context.leases().find(lease.msgId()) == lease) {
        context.leases().remove(lease);
        context.limits().inflightLimits().remove(lease);
        lease.shard().prefetched().add(lease.delivery());
        toServe(lease.shard());
      }
    }
  }

  /** Topics may have changed while there was no session, so waiting calls are checked again. */
  void opened() {
    topics.values().forEach(this::renew);
    topics.values().removeIf(queue -> queue.shards.isEmpty() && queue.waiting.isEmpty());
    toServeAll();
  }

  private void renew(TopicQueue queue) {
    queue.shards = shards(queue.name);
    for (RecvCall call : List.copyOf(queue.waiting)) {
      if (!context.ports().topics().isCurrent(call.topic())) {
        queue.waiting.remove(call);
        endEarly(call);
      }
    }
  }

  /** Forgets a topic about to be deleted and ends its calls. */
  void drop(Topic topic) {
    TopicQueue queue = topics.remove(topic.name());
    if (queue != null) {
      queue.waiting.forEach(this::endEarly);
    }
  }

  private void endEarly(RecvCall call) {
    if (call.claim()) {
      context.replies().replyNow(() -> call.answer(Delivered.NONE));
    }
  }

  /** Applies a change of a topic to its waiting calls. */
  void refresh(TopicName name) {
    TopicQueue queue = topics.get(name);
    if (queue != null) {
      queue.shards = shards(name);
      toServe.putIfAbsent(name, context.now());
    }
  }

  int dismiss(Refusal refusal) {
    int dismissed = 0;
    for (TopicQueue queue : topics.values()) {
      for (RecvCall call : queue.waiting) {
        if (call.isOpen()) {
          context.replies().replyNow(() -> call.refuse(refusal));
          dismissed++;
        }
      }
      queue.waiting.clear();
    }
    return dismissed;
  }

  /** Refuses all calls of a dying worker. */
  void orphan(Refusal refusal) {
    topics.values().stream()
        .flatMap(queue -> queue.waiting.stream())
        .forEach(call -> call.orphaned(takeBack, refusal));
    topics.clear();
  }

  /** Stops receiving from shards unused since {@code moment}. */
  void releaseIdle(long moment) {
    for (ShardState shard : context.shards()) {
      if (shard.isIdleSince(moment)) {
        context.session().release(shard.id());
        shard.released();
      }
    }
  }

  private TopicQueue queue(TopicName topic) {
    return topics.computeIfAbsent(topic, name -> new TopicQueue(name, shards(name)));
  }

  List<ShardState> shards(TopicName topic) {
    return context.ports().topics().openShards(topic).stream()
        .filter(context::owns)
        .map(context::shard)
        .toList();
  }

  private TopicCounters countersOf(Topic topic) {
    return context.limits().topics().of(topic.name());
  }

  private void toServe(ShardState shard) {
    toServe.putIfAbsent(shard.id().topic(), context.now());
  }

  private void toServeAll() {
    long now = context.now();
    topics.keySet().forEach(topic -> toServe.putIfAbsent(topic, now));
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }

  private void await(TopicQueue queue, RecvCall call) {
    prune(queue);
    queue.waiting.add(call);
    waitDeadlines.compact(queue.waiting.size(), waiting -> !waiting.isOpen());
    waitDeadlines.add(call.deadline(), call);
    watch(queue);
  }

  private static void prune(TopicQueue queue) {
    RecvCall first;
    while ((first = queue.waiting.peek()) != null && !first.isOpen()) {
      queue.waiting.remove();
    }
  }

  private int serve(TopicQueue queue, long knownSince) {
    int served = 0;
    Iterator<RecvCall> calls = queue.waiting.iterator();
    while (calls.hasNext()) {
      RecvCall call = calls.next();
      if (call.isOpen() && !refuseIfDenied(call)) {
        LeaseBatch batch = collect(queue, call, false);
        if (batch.isEmpty() && call.request().shard() == null) {
          break;
        }
        if (batch.isEmpty()) {
          continue;
        }
        deliver(call, batch.taken(), later(call.since(), knownSince));
        served++;
      }
      calls.remove();
    }
    watch(queue);
    return served;
  }

  /** Checks a waiting call's capability again, and its ceiling, so that it blocks no others. */
  private boolean refuseIfDenied(RecvCall call) {
    Optional<Refusal> refusal =
        call.caller()
            .denial(Operation.RECV, call.topic().name())
            .map(Refusal::denied)
            .or(() -> context.limits().inflightLimits().holderRefusal(call.caller().capability()));
    refusal.ifPresent(why -> context.replies().replyNow(() -> call.refuse(why)));
    return refusal.isPresent();
  }

  private void watch(TopicQueue queue) {
    if (queue.waiting.isEmpty() || context.ports().topics().isPaused(queue.name)) {
      return;
    }
    for (ShardState shard : queue.shards) {
      if (!shard.isWatching() && shard.prefetched().isEmpty()) {
        shard.watching(true);
        shard.receivingAt(context.now());
        context.session().watch(shard.id(), () -> arrived(shard.id()));
      }
    }
  }

  private void arrived(ShardId shard) {
    arrived.add(new Arrival(shard, context.now()));
    wake.run();
  }

  /** Answers a call that could have been answered at {@code since}. */
  private void deliver(RecvCall call, List<Lease> taken, long since) {
    if (!call.claim(takeBack, taken)) {
      giveBack(taken);
      return;
    }
    InflightLimits inflightLimits = context.limits().inflightLimits();
    List<Lease> held = taken.stream().filter(inflightLimits::tryHold).toList();
    if (held.size() < taken.size()) {
      giveBack(taken.stream().filter(lease -> !lease.isHeld()).toList());
    }
    if (held.isEmpty()) {
      Refusal refusal = inflightLimits.holderRefusal();
      context.replies().replyNow(() -> call.answer(refusal));
      return;
    }
    held.forEach(lease -> lease.shard().handedOut(lease.delivery()));
    List<LeasedMessage> messages =
        held.stream()
            .map(
                lease ->
                    new LeasedMessage(
                        lease.delivery().message(), lease.receipt(), call.visibility()))
            .toList();
    context
        .replies()
        .replyNow(
            () -> {
              call.answer(new Delivered(messages));
              context.workerMetrics().dequeued(since);
            });
  }

  private LeaseBatch collect(TopicQueue queue, RecvCall call, boolean certain) {
    if (context.ports().topics().isPaused(queue.name)) {
      return LeaseBatch.empty(null);
    }
    LeaseBatch batch = collector.collect(queue.shards, queue.next, call, certain);
    int count = queue.shards.size();
    queue.next = count == 0 ? 0 : (queue.next + 1) % count;
    starved |= batch.needsRoomOfOthers();
    return batch;
  }
}
