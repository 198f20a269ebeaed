package org.svcmailbox.client;

import org.jspecify.annotations.Nullable;

/** The root of everything that a mailbox throws, apart from what a wrong argument throws. */
public abstract class MailboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected MailboxException(String message) {
    super(message);
  }

  protected MailboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
