package org.svcmailbox.core.problem;

import java.time.Duration;

/**
 * A change of a topic met another one, or is not yet known to every node. It may have happened;
 * repeating it is safe.
 */
public final class TopicChangingException extends ReasonedOutage {
  /** The public reason. */
  public static final String REASON = "topic_changing";

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final long serialVersionUID = 1L;

  public TopicChangingException(String message) {
    super(message, REASON, RETRY_AFTER);
  }
}
