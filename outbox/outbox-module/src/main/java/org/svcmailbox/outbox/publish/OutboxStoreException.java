package org.svcmailbox.outbox.publish;

/** The database is away, refuses a statement, or does not have the expected tables. */
public class OutboxStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected OutboxStoreException(String message) {
    super(message);
  }

  public OutboxStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
