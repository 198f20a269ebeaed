package org.svcmailbox.core.problem;

/** The root of all deliberate exceptions. Expected outcomes are values instead. */
public abstract class MailboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Problem problem;

  protected MailboxException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  protected MailboxException(Problem problem, String message, Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
