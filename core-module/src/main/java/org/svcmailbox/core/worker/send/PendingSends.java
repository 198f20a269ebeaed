package org.svcmailbox.core.worker.send;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's SENDs from the inbox to the commit of their step. Each one leaves the count of pending
 * SENDs once: when a step takes it, or when it is refused.
 */
public final class PendingSends implements StepPart {
  private final WorkerContext context;
  private final Inbox<Command> inbox;
  private final SendQueues queued = new SendQueues();
  private final List<Send> batch = new ArrayList<>();

  public PendingSends(WorkerContext context, Inbox<Command> inbox) {
    this.context = context;
    this.inbox = inbox;
  }

  public void add(Send send) {
    queued.add(send);
  }

  public boolean isEmpty() {
    return queued.isEmpty();
  }

  /** Takes at most {@code most} SENDs for this step; returns how many. */
  public int take(int most) {
    return queued.take(most, this::take);
  }

  public List<Send> batch() {
    return batch;
  }

  @Override
  public void onCommit() {
    batch.clear();
  }

  /** Refuses the SENDs of this step; completing a future twice changes nothing. */
  @Override
  public void onSessionLost() {
    batch.forEach(send -> send.refuse(Refusals.brokerAway()));
    batch.clear();
  }

  /** Refuses the SENDs that wait for a step. */
  public void refuseQueued() {
    queued.take(Integer.MAX_VALUE, this::refuse);
  }

  private void take(Send send) {
    leave(send);
    if (send.isAnswered()) {
      // It was refused while the worker waited for the broker.
      return;
    }
    Refusal refusal = refusal(send);
    if (refusal == null) {
      batch.add(send);
    } else {
      context.replies().replyNow(() -> send.refuse(refusal));
    }
  }

  /** Checks an accepted SEND again. A redriven dead letter needs no room on the disk. */
  private @Nullable Refusal refusal(Send send) {
    if (!context.ports().topics().takesInto(send.topic(), send.shard())) {
      return Refusals.topicChanged();
    }
    return send.origin() == null ? context.limits().diskRefusal() : null;
  }

  private void refuse(Send send) {
    leave(send);
    context.replies().replyNow(() -> send.refuse(Refusals.brokerAway()));
  }

  private void leave(Send send) {
    inbox.done(1);
    send.leavePending();
  }
}
