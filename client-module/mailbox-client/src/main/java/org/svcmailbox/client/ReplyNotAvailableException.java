package org.svcmailbox.client;

/** A reply that cannot be sent: its message names no mailbox, or one that cannot be found. */
public final class ReplyNotAvailableException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public ReplyNotAvailableException(String message) {
    super(message);
  }

  public ReplyNotAvailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
