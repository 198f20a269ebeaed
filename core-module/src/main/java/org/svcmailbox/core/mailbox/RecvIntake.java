package org.svcmailbox.core.mailbox;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.delivery.ReadyService.Watch;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.dispatch.ReadyCall;
import org.svcmailbox.core.worker.dispatch.RecvCall;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

/**
 * Hands RECVs to the workers of their topic's shards. A call that waits counts as waiting until it
 * is answered.
 */
final class RecvIntake {
  private final IntakeGate gate;
  private final VisibilityCheck visibility;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;
  private final Ticker ticker;
  private final Set<RecvCall> waiting = ConcurrentHashMap.newKeySet();

  RecvIntake(
      IntakeGate gate,
      VisibilityCheck visibility,
      TopicDirectory topics,
      WorkerPool workers,
      Limits limits,
      Ticker ticker) {
    this.gate = gate;
    this.visibility = visibility;
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
    this.ticker = ticker;
  }

  PendingRecv recv(Caller caller, RecvRequest request) {
    return recv(caller, request, null);
  }

  /** Throws what a RECV would throw, and creates its topic on demand. */
  void check(RecvRequest request) {
    Topic topic = topics.require(request.topic());
    Duration unusedVisibility = visibility(request, topic);
    List<ShardId> unusedShards = shards(request, topic);
  }

  /**
   * As above, for a stream, which does not create a topic.
   *
   * @param window of the stream; null for a call outside a stream
   */
  PendingRecv recv(Caller caller, RecvRequest request, @Nullable StreamWindow window) {
    long since = ticker.nanos();
    Optional<Refusal> refused = gate.refusal(caller, Operation.RECV, request.topic());
    if (refused.isPresent()) {
      return refused(refused.get());
    }
    Optional<Refusal> full = limits.inflightLimits().refusal(caller.capability());
    if (full.isPresent()) {
      return refused(full.get());
    }
    Topic topic =
        window == null ? topics.require(request.topic()) : topics.existing(request.topic());
    CapacityLimit inflight = limits.topics().of(topic.name()).inflight();
    if (inflight.isFull(topic.settings().retention().inflightCount(), 0)) {
      return refused(inflight.refusal());
    }
    Duration visible = visibility(request, topic);
    List<ShardId> shards = shards(request, topic);
    Refusal elsewhere = workers.notHere(shards);
    if (elsewhere != null) {
      return refused(elsewhere);
    }
    boolean waits = !request.maxWait().isZero();
    CapabilityId holder = caller.capability().id();
    Refusal noRoom = waits ? limits.waiting().tryAdd(1, topic.name(), holder) : null;
    if (noRoom != null) {
      return refused(noRoom);
    }
    List<Inbox<Command>> asked = workers.inboxesOf(shards);
    long deadline = since + request.maxWait().toNanos();
    RecvCall call =
        new RecvCall(caller, topic, request, visible, window, since, deadline, asked.size());
    if (waits) {
      limits.workerMetrics().waits().spawned();
      waiting.add(call);
      call.outcome().thenAccept(outcome -> waited(call, holder, outcome));
    }
    for (Inbox<Command> inbox : asked) {
      if (!inbox.offer(call)) {
        call.refuse(inbox.refuseFull());
      }
    }
    return call;
  }

  /** As {@link ReadyService#whenReady}. */
  Watch whenReady(TopicName name, @Nullable Integer shard, Runnable then) {
    Optional<Topic> found = gate.isDraining() ? Optional.empty() : topics.find(name);
    if (found.isEmpty()) {
      then.run();
      return () -> {};
    }
    Topic topic = found.get();
    List<ShardId> shards =
        topic.shards().stream().filter(one -> shard == null || one.index() == shard).toList();
    ReadyCall call = new ReadyCall(topic, shard, then);
    if (workers.notHere(shards) != null) {
      call.answer();
      return call;
    }
    for (Inbox<Command> inbox : workers.inboxesOf(shards)) {
      if (!inbox.offer(call)) {
        call.answer();
      }
    }
    return call;
  }

  /** Ends waits whose time is over, on behalf of workers that wait for the broker. */
  void endDue() {
    long now = ticker.nanos();
    waiting.forEach(call -> call.endDue(now));
  }

  /** Called when a call that waited is answered: with messages, without, or before its time. */
  private void waited(RecvCall call, CapabilityId holder, RecvOutcome outcome) {
    waiting.remove(call);
    limits.waiting().remove(1, call.topic().name(), holder);
    boolean isEmpty = outcome.equals(RecvOutcome.Delivered.NONE);
    if (isEmpty && ticker.nanos() - call.deadline() >= 0) {
      limits.workerMetrics().waitedInVain();
    } else if (isEmpty || (gate.isDraining() && outcome instanceof Refusal)) {
      limits.workerMetrics().waits().canceled();
    }
  }

  private Duration visibility(RecvRequest request, Topic topic) {
    Duration asked = request.visibility();
    if (asked == null) {
      return topic.settings().defaultVisibility();
    }
    visibility.require(asked, topic);
    return asked;
  }

  private static List<ShardId> shards(RecvRequest request, Topic topic) {
    Integer only = request.shard();
    if (only == null) {
      return topic.shards();
    }
    if (only >= topic.state().liveShards()) {
      throw new NotFoundException(topic.name() + " has no shard " + only);
    }
    return List.of(topic.shard(only));
  }

  private static PendingRecv refused(Refusal refusal) {
    CompletionStage<RecvOutcome> outcome = completedFuture(refusal);
    return new PendingRecv() {
      @Override
      public CompletionStage<RecvOutcome> outcome() {
        return outcome;
      }

      @Override
      public void abandon() {
        // Nothing was begun.
      }
    };
  }
}
