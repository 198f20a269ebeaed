package org.svcmailbox.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mailbox has reached its capacity or its limit of held messages, or the caller its rate.
 * Nothing was sent or received.
 */
public final class MailboxFullException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  public MailboxFullException(String message) {
    this(message, null);
  }

  /**
   * @param retryAfter how long to wait before a retry, as the backend suggests
   */
  public MailboxFullException(String message, @Nullable Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** How long to wait before a retry, counted from the answer, if the backend suggests it. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
