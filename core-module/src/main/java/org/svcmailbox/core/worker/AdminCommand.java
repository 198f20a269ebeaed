package org.svcmailbox.core.worker;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Replies;

/**
 * An administrator's work between two transactions. A worker that cannot do it fails the reply with
 * {@link UnavailableException}.
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

  /**
   * Fails like a worker that does not answer in time, because it may still hold the resource that
   * the caller wants released.
   */
  @Override
  public void refuseLate() {
    reply.completeExceptionally(new TimeoutException("the worker waits for the broker"));
  }

  @Override
  public boolean isAnswered() {
    return reply.isDone();
  }
}
