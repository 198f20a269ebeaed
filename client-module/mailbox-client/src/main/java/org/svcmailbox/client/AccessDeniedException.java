package org.svcmailbox.client;

/** The backend does not permit the call. The exception's message never contains credentials. */
public final class AccessDeniedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public AccessDeniedException(String message) {
    super(message);
  }

  public AccessDeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
