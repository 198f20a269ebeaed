package org.svcmailbox.core.problem;

/** The broker or the database did not answer; the outcome is unknown. */
public class UnavailableException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    super(Problem.E_UNAVAILABLE, message);
  }

  public UnavailableException(String message, Throwable cause) {
    super(Problem.E_UNAVAILABLE, message, cause);
  }
}
