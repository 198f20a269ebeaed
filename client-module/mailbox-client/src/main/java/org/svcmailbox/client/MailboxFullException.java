package org.svcmailbox.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox at its capacity or its bound of held messages, or a caller at its rate. Nothing was
 * sent or received.
 */
public final class MailboxFullException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  public MailboxFullException(String message) {
    this(message, null);
  }

  /**
   * @param retryAfter when the backend suggests to try again, counted from its answer
   */
  public MailboxFullException(String message, @Nullable Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** When the backend suggests to try again, counted from its answer. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
