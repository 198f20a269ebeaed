package org.svcmailbox.client;

/** The backend has no mailbox with this name. */
public final class MailboxNotFoundException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public MailboxNotFoundException(String message) {
    super(message);
  }

  public MailboxNotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
