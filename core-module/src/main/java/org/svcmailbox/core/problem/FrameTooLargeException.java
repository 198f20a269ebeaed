package org.svcmailbox.core.problem;

/** A payload or body exceeds its limit; nothing was changed. */
public final class FrameTooLargeException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public FrameTooLargeException(String what, long limit) {
    super(Problem.E_FRAME_TOO_LARGE, what + " is larger than " + limit + " bytes");
  }
}
