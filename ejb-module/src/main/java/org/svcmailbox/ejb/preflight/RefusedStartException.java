package org.svcmailbox.ejb.preflight;

import org.jspecify.annotations.Nullable;

/** The server must not start in this state; the message says what to change. */
final class RefusedStartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  RefusedStartException(String message) {
    super(message);
  }

  RefusedStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
