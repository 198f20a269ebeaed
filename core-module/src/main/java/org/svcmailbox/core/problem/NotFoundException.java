package org.svcmailbox.core.problem;

public final class NotFoundException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public NotFoundException(String what) {
    super(Problem.E_NOT_FOUND, what);
  }
}
