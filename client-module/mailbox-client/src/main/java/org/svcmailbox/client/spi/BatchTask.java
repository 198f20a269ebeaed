package org.svcmailbox.client.spi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;

/**
 * One element of a batch, and its result to come. Its room in a batcher is free before the result
 * is there, so that what waits for the one can use the other.
 *
 * @param <A> the result
 */
public abstract class BatchTask<A> {
  private final int payloadBytes;
  private final long begun;
  private final CompletableFuture<A> result = new CompletableFuture<>();

  /** Changes under the batcher's lock. */
  volatile @Nullable Batcher<?> holder;

  /**
   * A task that no batcher holds.
   *
   * @param payloadBytes what counts towards the bytes of a batch
   * @param begun the moment from which it waits
   */
  protected BatchTask(int payloadBytes, long begun) {
    this.payloadBytes = payloadBytes;
    this.begun = begun;
  }

  /** How much memory it takes, about. Never changes. */
  protected abstract long bytes();

  /** Its share of the bytes of a batch. */
  public final int payloadBytes() {
    return payloadBytes;
  }

  final long begun() {
    return begun;
  }

  /** Whether the result is there. */
  public final boolean isDone() {
    return result.isDone();
  }

  /** The result, for a caller who does not wait. */
  public final CompletionStage<A> stage() {
    return result.minimalCompletionStage();
  }

  /**
   * Waits for the result.
   *
   * @throws RuntimeException the failure
   */
  public final A await() {
    return Results.await(result);
  }

  /** Waits for the result of a send. */
  public static SendResult sendResult(BatchTask<Sent> task) {
    try {
      return new SendResult.Accepted(task.await());
    } catch (RuntimeException e) {
      return new SendResult.Failed(e);
    }
  }

  /** Waits for the result of a settlement or an extension: why it failed, or empty. */
  public static Optional<RuntimeException> failure(BatchTask<?> task) {
    try {
      Object unused = task.await();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** Ends the task, unless it has a result. */
  public final void succeed(A answer) {
    end(() -> result.complete(answer));
  }

  /** Ends the task, unless it has a result. */
  public final void fail(Throwable cause) {
    end(() -> result.completeExceptionally(cause));
  }

  private void end(Runnable completion) {
    Batcher<?> from = holder;
    boolean wasHeld = from != null && from.release(this);
    completion.run();
    if (from != null && wasHeld) {
      from.ended();
    }
  }
}
