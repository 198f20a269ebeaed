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

  /** The topic refuses this event for good. */
  public static PublishException refused(
      ErrorCode code, String message, @Nullable Throwable cause) {
    return new PublishException(message, code, null, cause);
  }

  /**
   * The topic takes no events at present.
   *
   * @param retryAfter when it asks to be tried again
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

  /** Why the event is refused for good; empty if the topic takes none at present. */
  public Optional<ErrorCode> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** When the topic asks to be tried again. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
