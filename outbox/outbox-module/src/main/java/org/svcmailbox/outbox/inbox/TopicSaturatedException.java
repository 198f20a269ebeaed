package org.svcmailbox.outbox.inbox;

/**
 * A topic that gives nothing now, because as many of its messages are held as it permits. The
 * holders settle them soon, so this is no failure.
 */
public final class TopicSaturatedException extends ConsumerException {
  private static final long serialVersionUID = 1L;

  public TopicSaturatedException(String message, Throwable cause) {
    super(message, cause);
  }
}
