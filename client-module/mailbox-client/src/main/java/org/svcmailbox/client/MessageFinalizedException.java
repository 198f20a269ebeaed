package org.svcmailbox.client;

/** The message is already acknowledged or nacked. */
public final class MessageFinalizedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public MessageFinalizedException(String message) {
    super(message);
  }
}
