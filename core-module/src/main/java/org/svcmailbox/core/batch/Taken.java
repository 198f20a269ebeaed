package org.svcmailbox.core.batch;

import org.svcmailbox.core.idempotency.Reservation;

/** The state of a key that a look-up found; a key that is free is not found. */
public sealed interface Taken {
  /** The broker has the key's message. */
  record Confirmed(Reservation reservation) implements Taken {}

  /** Whether the broker has the key's message is not known yet. */
  record Unconfirmed() implements Taken {}

  /** The key's window is over, and the key was not purged yet: it is as good as free. */
  record Expired() implements Taken {}

  /** The key is taken; its message is known only to the database, which is away or has lost it. */
  record Unreadable() implements Taken {}
}
