package org.svcmailbox.core.problem;

/** A bound that is reached; nothing was changed, try later. */
public final class SaturatedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public SaturatedException(String what) {
    super(Problem.E_SATURATED, what);
  }
}
