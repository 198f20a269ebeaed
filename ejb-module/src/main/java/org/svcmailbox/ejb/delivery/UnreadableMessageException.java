package org.svcmailbox.ejb.delivery;

/** Bytes in a queue that are no message of this service. */
public final class UnreadableMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableMessageException(String message) {
    super(message);
  }

  UnreadableMessageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What is wrong with them, for a dead letter's last error. */
  String why() {
    return String.valueOf(getMessage());
  }
}
