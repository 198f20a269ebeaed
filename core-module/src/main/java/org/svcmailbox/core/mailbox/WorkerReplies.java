package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;

/** Waits for the workers' answers to admin commands, for a bounded time. */
final class WorkerReplies {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private WorkerReplies() {}

  /**
   * Waits for one answer.
   *
   * @throws UnavailableException if the worker failed or does not answer in time
   */
  static <T extends @Nullable Object> T await(CompletableFuture<T> reply) {
    return await(reply, PATIENCE);
  }

  /** As above, with another time. */
  static <T extends @Nullable Object> T await(CompletableFuture<T> reply, Duration patience) {
    try {
      return reply.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS).join();
    } catch (CompletionException e) {
      throw new UnavailableException("a shard worker failed to carry out a command", unwrapped(e));
    }
  }

  /**
   * Waits for all workers that have a session. One without a session holds nothing and starts over.
   */
  static void awaitUnlessAway(List<? extends CompletableFuture<?>> replies) {
    replies.forEach(WorkerReplies::awaitUnlessAway);
  }

  private static void awaitUnlessAway(CompletableFuture<?> reply) {
    await(
        reply.handle(
            (done, failure) -> {
              if (failure != null && !(unwrapped(failure) instanceof UnavailableException)) {
                throw new CompletionException(unwrapped(failure));
              }
              return Boolean.TRUE;
            }));
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
