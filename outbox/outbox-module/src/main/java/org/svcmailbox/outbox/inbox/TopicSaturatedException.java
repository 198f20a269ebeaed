package org.svcmailbox.outbox.inbox;

/**
 * The topic delivers nothing now, because consumers hold as many messages as it permits. They
 * settle them soon, so this is not a failure.
 */
public final class TopicSaturatedException extends ConsumerException {
  private static final long serialVersionUID = 1L;

  public TopicSaturatedException(String message, Throwable cause) {
    super(message, cause);
  }
}
