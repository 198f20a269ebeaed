package org.svcmailbox.core.delivery;

/**
 * A message that the broker has handed to one session and counts as delivering until that session
 * acknowledges it or ends.
 */
public interface Delivery {
  /** The message. */
  StoredMessage message();
}
