package org.svcmailbox.outbox.inbox;

/** The service is away or refuses a call, or a message is no longer held. */
public class ConsumerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConsumerException(String message) {
    super(message);
  }

  public ConsumerException(String message, Throwable cause) {
    super(message, cause);
  }
}
