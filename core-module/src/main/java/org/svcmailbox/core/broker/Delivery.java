package org.svcmailbox.core.broker;

import java.time.Instant;
import org.svcmailbox.core.message.StoredMessage;

/** A message that the broker has delivered to a session and that is not yet acknowledged. */
public interface Delivery {
  StoredMessage message();

  /** When the message was sent or became due. */
  Instant readySince();

  /** Its bytes as {@link Broker#held} counts them. */
  long bytes();

  /** Whether it was a delayed SEND or redelivery. */
  boolean wasDelayed();

  /** Whether {@link #verified} was called: the content is the sent one. */
  boolean isVerified();

  void verified();
}
