package org.svcmailbox.core.problem;

import java.time.Duration;

/** A call that is refused for a known reason, though nothing has failed. */
public abstract class ReasonedOutage extends UnavailableException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final Duration retryAfter;

  /**
   * @param reason the public one
   * @param retryAfter when a repetition may succeed
   */
  protected ReasonedOutage(String message, String reason, Duration retryAfter) {
    super(message);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** The public reason. */
  public final String reason() {
    return reason;
  }

  /** When a repetition may succeed. */
  public final Duration retryAfter() {
    return retryAfter;
  }
}
