package org.svcmailbox.core.delivery;

import java.time.Instant;

/**
 * A message that the broker has handed to one session and counts as delivering until that session
 * acknowledges it or ends.
 */
public interface Delivery {
  /** The message. */
  StoredMessage message();

  /** Since when it has been ready: when it was sent, or when its time came. */
  Instant readySince();

  /** The bytes it takes in its queue, as {@link Broker#held} counts them. */
  long bytes();

  /** Whether it had to wait for a time, as a delayed SEND and one that came back do. */
  boolean wasDelayed();
}
