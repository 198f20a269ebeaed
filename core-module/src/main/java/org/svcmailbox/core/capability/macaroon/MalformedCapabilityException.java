package org.svcmailbox.core.capability.macaroon;

import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;

/** A text is no capability. The message does not repeat it. */
public final class MalformedCapabilityException extends MailboxException {
  private static final long serialVersionUID = 1L;

  public MalformedCapabilityException(String why) {
    super(Problem.E_CAP_AUTH, "The capability is malformed: " + why);
  }
}
