package org.svcmailbox.core.problem;

/** A condition of the caller does not hold; nothing was changed. */
public final class PreconditionException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public PreconditionException(String detail) {
    super(Problem.E_PRECONDITION, detail);
  }
}
