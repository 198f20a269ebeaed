package org.svcmailbox.core.problem;

/**
 * The root of everything this service throws on purpose. Expected outcomes are values; an exception
 * means the caller could not have known, or the request cannot be understood.
 */
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

  /** What the outside is told this is. */
  public Problem problem() {
    return problem;
  }
}
