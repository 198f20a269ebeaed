package org.svcmailbox.client;

import org.jspecify.annotations.Nullable;

/** The root of all exceptions of a mailbox, except those for invalid arguments. */
public abstract class MailboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected MailboxException(String message) {
    super(message);
  }

  protected MailboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
