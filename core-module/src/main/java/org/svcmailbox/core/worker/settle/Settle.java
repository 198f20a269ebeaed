package org.svcmailbox.core.worker.settle;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.worker.state.Command;

/** An ACK, NACK, rejection or extension of a lease. */
public record Settle(Caller caller, SettleRequest request, CompletableFuture<SettleOutcome> reply)
    implements Command {
  /** The refusal of a caller that may not settle {@code holder}'s messages of {@code topic}. */
  Optional<Refusal> denial(TopicName topic, @Nullable CapabilityId holder) {
    return caller.settlingDenial(request.operation(), topic, holder).map(Refusal::denied);
  }

  @Override
  public void refuse(Refusal refusal) {
    reply.complete(refusal);
  }

  @Override
  public boolean isAnswered() {
    return reply.isDone();
  }
}
