package org.svcmailbox.core.capability;

import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;

/**
 * A text that is no capability of the form this service reads. It is not repeated in the message.
 */
public final class MalformedCapabilityException extends MailboxException {
  private static final long serialVersionUID = 1L;

  MalformedCapabilityException(String why) {
    super(Problem.E_CAP_AUTH, "The capability is malformed: " + why);
  }
}
