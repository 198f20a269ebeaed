package org.svcmailbox.client;

/** A reply cannot be sent: the message names no mailbox for replies, or an unknown one. */
public final class ReplyNotAvailableException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public ReplyNotAvailableException(String message) {
    super(message);
  }

  public ReplyNotAvailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
