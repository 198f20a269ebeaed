package org.svcmailbox.core.batch;

import org.svcmailbox.core.idempotency.IdempotencyKey;

/** Another worker took a key between the check and the reservation; nothing was reserved. */
public final class KeyTakenException extends Exception {
  private static final long serialVersionUID = 1L;

  KeyTakenException(IdempotencyKey key) {
    super(key + " is taken");
  }
}
