package org.svcmailbox.ejb.settings;

import org.svcmailbox.core.problem.StartException;

/** The server's configuration contradicts {@code mailbox.amnesia}. */
public final class ProfileException extends StartException {
  private static final long serialVersionUID = 1L;

  public ProfileException(String what) {
    super(
        what
            + "; mailbox.amnesia is about the whole server, which is configured before any setting"
            + " is read: give it as the environment variable MAILBOX_AMNESIA of bin/mailbox",
        true,
        null);
  }
}
