package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerScene;

/** The parts of the only worker that serve RECV calls of one topic with one shard. */
final class DispatchScene {
  static final Duration VISIBILITY = Duration.ofSeconds(5);
  static final Duration NO_WAIT = Duration.ZERO;
  static final Duration WAIT = Duration.ofSeconds(10);

  final WorkerScene worker = new WorkerScene();
  final ShardState shard = worker.shard();
  final ReadyTopics ready = new ReadyTopics(worker.context, worker.inbox);
  final Prefetcher prefetcher = new Prefetcher(worker.context, ready);
  final Inspection inspection = new Inspection(worker.context);
  final WaitingCalls waiting = new WaitingCalls(worker.context);
  final LeaseDelivery delivery = new LeaseDelivery(worker.context, ready, worker.inbox);
  final LeaseCollector collector =
      new LeaseCollector(
          worker.context,
          prefetcher,
          inspection,
          new Receipts(new Random(1), Groups.ofWorkers(1), worker.time.instant()));
  final MessageDispatcher dispatcher =
      new MessageDispatcher(worker.context, ready, waiting, collector, delivery);
  private long sent;

  StoredMessage put(int size) {
    StoredMessage message =
        SampleMessages.message(
            shard.id(), ++sent, worker.time.instant(), new byte[size], Attributes.NONE, null);
    worker.put(message);
    return message;
  }

  void put(int count, int size) {
    for (int i = 0; i < count; i++) {
      put(size);
    }
  }

  RecvCall call(Duration wait) {
    return call(SampleCallers.OPERATOR, wait, 1, Long.MAX_VALUE, null);
  }

  RecvCall call(Caller caller, Duration wait) {
    return call(caller, wait, 1, Long.MAX_VALUE, null);
  }

  RecvCall call(Caller caller, Duration wait, int messages, long bytes, @Nullable Integer ofShard) {
    long now = worker.time.nanos();
    return new RecvCall(
        caller,
        worker.topic,
        new RecvRequest(worker.topic.name(), null, messages, bytes, wait, ofShard),
        VISIBILITY,
        /* window= */ null,
        now,
        now + wait.toNanos(),
        /* workers= */ 1);
  }

  /** The answer so far; null if there is none. */
  @Nullable RecvOutcome answer(RecvCall call) {
    worker.context.replies().onCommit();
    return call.outcome().toCompletableFuture().getNow(null);
  }

  /** The places in the ledger of the messages that a call got. */
  List<Long> got(RecvCall call) {
    return answer(call) instanceof Delivered delivered
        ? delivered.messages().stream().map(one -> one.message().envelope().seq()).toList()
        : List.of();
  }

  List<Lease> leases() {
    return List.copyOf(worker.context.leases().all());
  }

  long inflight() {
    return worker.limits.inflightLimits().messages().total().count();
  }
}
