package org.svcmailbox.client;

/** A call that the backend does not allow. The message never holds the credentials. */
public final class AccessDeniedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public AccessDeniedException(String message) {
    super(message);
  }

  public AccessDeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
