package org.svcmailbox.core.batch;

import org.svcmailbox.core.idempotency.IdempotencyKey;

/** Another worker took a key between the look and the taking; nothing was taken. */
public final class KeyTakenException extends Exception {
  private static final long serialVersionUID = 1L;

  KeyTakenException(IdempotencyKey key) {
    super(key + " is taken");
  }
}
