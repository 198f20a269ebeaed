package org.svcmailbox.core.problem;

import java.time.Duration;

/** A bound that is reached; nothing was changed, try later. */
public final class SaturatedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final transient Duration retryAfter;

  /**
   * @param reason a short, constant word for metrics and clients, such as {@code topics_max}
   * @param retryAfter when it makes sense to try again
   */
  public SaturatedException(String reason, String detail, Duration retryAfter) {
    super(Problem.E_SATURATED, detail);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** Which bound. */
  public String reason() {
    return reason;
  }

  /** When it makes sense to try again. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
