package org.svcmailbox.outbox.inbox;

/** A service that is away or refuses, or a message that is no longer held. */
public class ConsumerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConsumerException(String message) {
    super(message);
  }

  public ConsumerException(String message, Throwable cause) {
    super(message, cause);
  }
}
