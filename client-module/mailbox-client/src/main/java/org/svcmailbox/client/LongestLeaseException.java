package org.svcmailbox.client;

import java.time.Duration;

/**
 * An extension would have made a lease longer than the topic allows. The lease is unchanged. It can
 * still be extended by up to {@link #left()}, but never beyond that.
 */
public final class LongestLeaseException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Duration left;

  public LongestLeaseException(String message, Duration left) {
    super(message);
    this.left = left;
  }

  /** The longest extension that would have been granted. */
  public Duration left() {
    return left;
  }
}
