package org.svcmailbox.core.capability;

import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;

/** A call without a capability that covers it; nothing was changed. */
public final class DeniedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  private DeniedException(Problem problem, String reason, String detail) {
    super(problem, detail);
    this.reason = reason;
  }

  /** There is a capability, and it does not cover the call. */
  static DeniedException of(Denial denial) {
    return new DeniedException(denial.problem(), denial.text(), denial.detail());
  }

  /** There is no capability at all. */
  static DeniedException missing() {
    return new DeniedException(
        Problem.E_CAP_AUTH, "missing", "The call needs an Authorization header with a capability");
  }

  /** There is something that is no capability of this service; why not is nobody's business. */
  static DeniedException invalid() {
    return new DeniedException(
        Problem.E_CAP_AUTH, "invalid", "The token is no capability of this service");
  }

  /** A short, constant word for clients and metrics, such as {@code expired}. */
  public String reason() {
    return reason;
  }
}
