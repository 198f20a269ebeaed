package org.svcmailbox.core.problem;

import java.time.Duration;

/** A limit is reached; nothing was changed, try later. */
public final class SaturatedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final transient Duration retryAfter;

  /**
   * @param reason a constant word, such as {@code topics_max}
   */
  public SaturatedException(String reason, String detail, Duration retryAfter) {
    super(Problem.E_SATURATED, detail);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  public String reason() {
    return reason;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
