package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** What crosses from the callers' threads to a worker: immutable, with a future for the answer. */
sealed interface Command
    permits Command.Send, Command.Settle, Command.GiveBack, Command.AdminCommand, RecvCall {

  /** The worker cannot do it. */
  void refuse(Refusal refusal);

  /**
   * One message to take.
   *
   * @param envelope complete but for its place in the ledger
   * @param origin the dead letter that is to leave with it; null for a message of a client
   * @param pending where it is counted until a worker takes it
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
      @Nullable Origin origin,
      CapacityLimit pending,
      CompletableFuture<SendOutcome> reply)
      implements Command {
    @Override
    public void refuse(Refusal refusal) {
      reply.complete(refusal);
    }
  }

  /** One delivery to settle. */
  record Settle(Caller caller, SettleRequest request, CompletableFuture<SettleOutcome> reply)
      implements Command {
    @Override
    public void refuse(Refusal refusal) {
      reply.complete(refusal);
    }
  }

  /** Leases whose holder never got the messages. */
  record GiveBack(List<Lease> leases) implements Command {
    @Override
    public void refuse(Refusal refusal) {
      // Nobody waits for an answer, and a worker without a session has no leases.
    }
  }

  /**
   * What an operator wants done between two transactions. A worker that cannot do it lets its reply
   * fail with {@link UnavailableException}.
   */
  record AdminCommand<T extends @Nullable Object>(
      Function<ShardAdmin, T> work, CompletableFuture<T> reply) implements Command {
    /** Does it; the answer is left to {@code replies}. */
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
