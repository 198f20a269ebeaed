package org.svcmailbox.client;

/** A message that is already acknowledged or nacked. */
public final class MessageFinalizedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public MessageFinalizedException(String message) {
    super(message);
  }
}
