package org.svcmailbox.core.worker.dispatch;

import java.util.List;
import java.util.function.Consumer;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Delivers leases to the client of a call. A lease that no client gets ends here, without costing
 * its message an attempt.
 */
public final class LeaseDelivery {
  private final WorkerContext context;
  private final ReadyTopics ready;

  /** Takes back leases whose messages no client got. Any thread. */
  private final Consumer<List<Lease>> takeBack;

  public LeaseDelivery(WorkerContext context, ReadyTopics ready, Inbox<Command> inbox) {
    this.context = context;
    this.ready = ready;
    this.takeBack = unread -> inbox.offerAlways(new GiveBack(unread));
  }

  /** Answers a call that could have been answered since {@code since}. */
  void deliver(RecvCall call, List<Lease> taken, long since) {
    if (!call.claim(takeBack, taken)) {
      giveBack(taken);
      return;
    }
    if (call.waits()) {
      context.owed().add(call);
    }
    InflightLimits inflightLimits = context.limits().inflightLimits();
    List<Lease> held = taken.stream().filter(lease -> hold(call, lease)).toList();
    if (held.size() < taken.size()) {
      giveBack(taken.stream().filter(lease -> !held.contains(lease)).toList());
    }
    if (held.isEmpty()) {
      Refusal refusal =
          inflightLimits.holderRefusal(call.caller().capability()).orElseGet(() -> refusal(call));
      context.replies().replyNow(() -> call.answer(refusal));
      return;
    }
    held.forEach(lease -> lease.shard().handedOut(lease.delivery()));
    count(held);
    List<LeasedMessage> messages =
        held.stream()
            .map(
                lease ->
                    new LeasedMessage(
                        lease.delivery().message(), lease.receipt(), call.visibility()))
            .toList();
    context
        .replies()
        .lease(
            () -> {
              call.answer(new Delivered(messages));
              context.workerMetrics().dequeued(since);
            },
            call::answer);
  }

  /** The leases of a call are of one topic. */
  private static void count(List<Lease> held) {
    long again = held.stream().filter(lease -> lease.attempt() > 1).count();
    held.get(0).shard().counters().topic().delivered(held.size(), again);
  }

  private Refusal refusal(RecvCall call) {
    return call.window() == null
        ? context.limits().inflightLimits().holderRefusal()
        : context.limits().streamInflight().refusal();
  }

  private boolean hold(RecvCall call, Lease lease) {
    StreamWindow window = call.window();
    return context.limits().inflightLimits().tryHold(lease)
        && (window == null || lease.tryEnter(window, new StreamHold(lease, takeBack)));
  }

  /** Refuses a call of a dying worker, unless another worker has claimed it. */
  public void orphan(RecvCall call, Refusal refusal) {
    call.orphaned(takeBack, refusal);
  }

  /** Refuses a call whose answer is late, unless another worker has claimed it. Any thread. */
  public void cut(RecvCall call, Refusal refusal) {
    call.cut(takeBack, refusal);
  }

  /** Returns unread messages without costing an attempt. */
  public void giveBack(List<Lease> unread) {
    for (Lease lease : unread) {
      if (context.leases().find(lease.msgId()) == lease) {
        context.leases().remove(lease);
        context.limits().inflightLimits().remove(lease);
        lease.shard().prefetched().add(lease.delivery());
        lease.leaveWindow();
        ready.add(lease.shard().id().topic());
      }
    }
  }
}
