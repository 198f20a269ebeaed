package org.svcmailbox.outbox.publish;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.ErrorCode;

/** An event that a topic did not accept. */
public final class PublishException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable ErrorCode refusal;
  private final @Nullable Duration retryAfter;

  private PublishException(
      String message,
      @Nullable ErrorCode refusal,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause);
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }

  /** The topic refuses this event permanently. */
  public static PublishException refused(
      ErrorCode code, String message, @Nullable Throwable cause) {
    return new PublishException(message, code, null, cause);
  }

  /**
   * The topic currently accepts no events.
   *
   * @param retryAfter when the topic asks for a retry
   */
  public static PublishException unavailable(
      String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    return new PublishException(message, null, retryAfter, cause);
  }

  /** The failure of a publisher; one that is no {@code PublishException} passes with time. */
  static PublishException of(Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof PublishException why
        ? why
        : unavailable(String.valueOf(cause), null, cause);
  }

  /** The exception that a stage failed with, without the wrapper of the stages after it. */
  public static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Why the event is refused permanently; empty if the topic currently accepts none. */
  public Optional<ErrorCode> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** When the topic asks for a retry. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
