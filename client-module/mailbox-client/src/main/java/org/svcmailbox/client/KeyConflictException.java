package org.svcmailbox.client;

/** The key belongs to a message with another body. Nothing was sent. */
public final class KeyConflictException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public KeyConflictException(String message) {
    super(message);
  }
}
