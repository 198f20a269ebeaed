package org.svcmailbox.core.problem;

/** A payload or body over its limit; nothing was changed by it. */
public final class FrameTooLargeException extends MailboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what the thing that is too large, such as {@code payload}
   * @param limit the most bytes it may have
   */
  public FrameTooLargeException(String what, long limit) {
    super(Problem.E_FRAME_TOO_LARGE, what + " is larger than " + limit + " bytes");
  }
}
