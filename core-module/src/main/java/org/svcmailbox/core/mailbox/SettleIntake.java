package org.svcmailbox.core.mailbox;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.bounds.WorkerMetrics;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.settle.Settle;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

/**
 * Hands ACKs, NACKs and EXTENDs to the workers of their messages, even while the service is
 * stopping.
 */
final class SettleIntake {
  private final VisibilityCheck visibility;
  private final WorkerPool workers;
  private final WorkerMetrics metrics;
  private final Ticker ticker;

  SettleIntake(
      VisibilityCheck visibility, WorkerPool workers, WorkerMetrics metrics, Ticker ticker) {
    this.visibility = visibility;
    this.workers = workers;
    this.metrics = metrics;
    this.ticker = ticker;
  }

  CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    long since = ticker.nanos();
    if (request instanceof SettleRequest.Extend extend) {
      visibility.require(extend.visibility());
    }
    CompletableFuture<SettleOutcome> reply = new CompletableFuture<>();
    Inbox<Command> inbox = workers.inboxOf(request.msgId());
    if (!inbox.offer(new Settle(caller, request, reply))) {
      return completedFuture(inbox.refuseFull());
    }
    return request instanceof SettleRequest.Ack
        ? reply.thenApply(outcome -> acknowledged(outcome, since))
        : reply;
  }

  private SettleOutcome acknowledged(SettleOutcome outcome, long since) {
    if (outcome instanceof SettleOutcome.Done) {
      metrics.acknowledged(since);
    }
    return outcome;
  }
}
