package org.svcmailbox.outbox.publish;

/** A database that is away, refuses, or has other tables than it should. */
public class OutboxStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected OutboxStoreException(String message) {
    super(message);
  }

  public OutboxStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
