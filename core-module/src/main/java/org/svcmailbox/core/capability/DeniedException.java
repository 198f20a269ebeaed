package org.svcmailbox.core.capability;

import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;

/** No capability permits the call; nothing was changed. */
public final class DeniedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  private DeniedException(Problem problem, String reason, String detail) {
    super(problem, detail);
    this.reason = reason;
  }

  static DeniedException of(Denial denial) {
    return new DeniedException(denial.problem(), denial.text(), denial.detail());
  }

  static DeniedException missing() {
    return new DeniedException(
        Problem.E_CAP_AUTH, "missing", "The call needs an Authorization header with a capability");
  }

  /** Does not tell why the token is invalid. */
  static DeniedException invalid() {
    return new DeniedException(
        Problem.E_CAP_AUTH, "invalid", "The token is no capability of this service");
  }

  /** A constant word, such as {@code expired}. */
  public String reason() {
    return reason;
  }
}
