package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Serves RECV calls with leases, or lets them wait. A waiting call needs neither a thread nor
 * polling, because the broker reports when a shard has messages.
 */
public final class MessageDispatcher {
  /** How long a call that a limit stopped waits for another try. */
  private static final long LOOK_AGAIN = Duration.ofMillis(50).toNanos();

  private final WorkerContext context;
  private final ReadyTopics ready;
  private final WaitingCalls waiting;
  private final LeaseCollector collector;
  private final LeaseDelivery delivery;

  /** Whether a call needs room that another worker may free without notice. */
  private boolean starved;

  public MessageDispatcher(
      WorkerContext context,
      ReadyTopics ready,
      WaitingCalls waiting,
      LeaseCollector collector,
      LeaseDelivery delivery) {
    this.context = context;
    this.ready = ready;
    this.waiting = waiting;
    this.collector = collector;
    this.delivery = delivery;
  }

  public void recv(RecvCall call) {
    if (!call.isOpen()) {
      return;
    }
    TopicQueue queue = waiting.queue(call.topic().name());
    LeaseBatch batch = collect(queue, call, false);
    if (batch.isEmpty() && !call.waits()) {
      batch = collect(queue, call, true);
    }
    if (!batch.isEmpty()) {
      delivery.deliver(call, batch.taken(), call.since());
    } else if (call.waits()) {
      waiting.add(queue, call);
      watch(queue);
    } else if (call.countPass(batch.stoppedBy()) && call.claim()) {
      context.replies().replyNow(() -> call.answer(nothing(call)));
    }
  }

  /** Answers once a call finds messages, and leases none. */
  public void watch(ReadyCall call) {
    TopicQueue queue = waiting.queue(call.topic().name());
    queue.watches().removeIf(watch -> !watch.isOpen());
    queue.watches().add(call);
    answerWatches(queue);
    watch(queue);
  }

  /** The messages that waiting calls have left are those of other nodes' calls. */
  private void answerWatches(TopicQueue queue) {
    if (queue.watches().isEmpty() || context.ports().topics().isPaused(queue.name())) {
      return;
    }
    for (Iterator<ReadyCall> watches = queue.watches().iterator(); watches.hasNext(); ) {
      ReadyCall watch = watches.next();
      if (!watch.isOpen() || collector.isAnyReady(queue.shards(), watch.shard())) {
        watches.remove();
        context.replies().replyNow(watch::answer);
      }
    }
  }

  /** The answer when no worker had a message, or room to lease one. */
  private RecvOutcome nothing(RecvCall call) {
    InflightLimits.Full full = call.stoppedBy();
    return full == null
        ? Delivered.NONE
        : context.limits().inflightLimits().refusal(full, countersOf(call.topic()));
  }

  private TopicCounters countersOf(Topic topic) {
    return context.limits().topics().of(topic.name());
  }

  /** Serves waiting calls; returns how many. */
  public int serve() {
    ready.takeReports();
    if (starved) {
      starved = false;
      ready.addAll(waiting.topics());
    }
    int served = 0;
    for (Map.Entry<TopicName, Long> topic : ready.list()) {
      TopicQueue queue = waiting.known(topic.getKey());
      served += queue == null ? 0 : serve(queue, topic.getValue());
    }
    ready.clear();
    return served;
  }

  private int serve(TopicQueue queue, long knownSince) {
    int served = 0;
    Iterator<RecvCall> calls = queue.waiting().iterator();
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
        delivery.deliver(call, batch.taken(), later(call.since(), knownSince));
        served++;
      }
      calls.remove();
    }
    answerWatches(queue);
    watch(queue);
    return served;
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }

  /** Checks a waiting call's capability and ceiling again, so that it does not block others. */
  private boolean refuseIfDenied(RecvCall call) {
    Optional<Refusal> refusal =
        call.caller()
            .denial(Operation.RECV, call.topic().name())
            .map(Refusal::denied)
            .or(() -> context.limits().inflightLimits().holderRefusal(call.caller().capability()));
    refusal.ifPresent(why -> context.replies().replyNow(() -> call.refuse(why)));
    return refusal.isPresent();
  }

  public long untilFirst(long now, long idle) {
    long nanos = starved ? Math.min(idle, LOOK_AGAIN) : idle;
    return waiting.untilFirst(now, nanos);
  }

  /** Called when the worker has a new session, or other groups. */
  public void opened() {
    waiting.renew();
    ready.addAll(waiting.topics());
  }

  /** Applies a change of a topic to its waiting calls. */
  public void refresh(TopicName name) {
    TopicQueue queue = waiting.known(name);
    if (queue != null) {
      queue.shards(context.openShards(name));
      ready.add(name);
    }
  }

  private void watch(TopicQueue queue) {
    if (!queue.isAwaited() || context.ports().topics().isPaused(queue.name())) {
      return;
    }
    for (ShardState shard : queue.shards()) {
      if (!shard.isWatching() && shard.prefetched().isEmpty()) {
        ready.watch(shard);
      }
    }
  }

  private LeaseBatch collect(TopicQueue queue, RecvCall call, boolean certain) {
    if (context.ports().topics().isPaused(queue.name())) {
      return LeaseBatch.empty(null);
    }
    LeaseBatch batch = collector.collect(queue.shards(), queue.turn(), call, certain);
    starved |= batch.needsRoomOfOthers();
    return batch;
  }
}
