package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** An immutable message from a caller to a worker, with a future for the answer. */
public sealed interface Command
    permits Command.Send, Command.Settle, Command.GiveBack, Command.AdminCommand, RecvCall {

  void refuse(Refusal refusal);

  /**
   * A SEND, complete except for its place in the ledger.
   *
   * @param origin the dead letter to remove with it; null for a client's message
   * @param pending counts it until a worker takes it
   */
  record Send(
      Topic topic,
      ShardId shard,
      IdempotencyKey key,
      Envelope envelope,
      Payload payload,
      @Nullable TraceContext trace,
      Duration delay,
      @Nullable Duration ttl,
      @Nullable SourceLetter origin,
      CapacityLimit pending,
      CompletableFuture<SendOutcome> reply)
      implements Command {
    @Override
    public void refuse(Refusal refusal) {
      reply.complete(refusal);
    }
  }

  record Settle(Caller caller, SettleRequest request, CompletableFuture<SettleOutcome> reply)
      implements Command {
    @Override
    public void refuse(Refusal refusal) {
      reply.complete(refusal);
    }
  }

  /** Leases whose messages no client got. */
  record GiveBack(List<Lease> leases) implements Command {
    @Override
    public void refuse(Refusal refusal) {
      // There is no reply to give, and a worker without a session has no leases.
    }
  }

  /**
   * An administrator's work between two transactions. A worker that cannot do it fails the reply
   * with {@link UnavailableException}.
   */
  record AdminCommand<T extends @Nullable Object>(
      Function<ShardAdmin, T> work, CompletableFuture<T> reply) implements Command {
    void carryOut(ShardAdmin admin, Replies replies) {
      T done = work.apply(admin);
      replies.replyNow(() -> reply.complete(done));
    }

    @Override
    public void refuse(Refusal refusal) {
      reply.completeExceptionally(new UnavailableException(refusal.detail()));
    }
  }
}
