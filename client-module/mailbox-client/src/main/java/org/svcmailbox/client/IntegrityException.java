package org.svcmailbox.client;

/** The body was altered after it was sent: a digest does not match. */
public final class IntegrityException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public IntegrityException(String message) {
    super(message);
  }
}
