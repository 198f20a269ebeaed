package org.svcmailbox.core.batch;

import org.svcmailbox.core.idempotency.Reservation;

/** The state of a taken key. A free key has none. */
public sealed interface Taken {
  /** The broker has the key's message. */
  record Confirmed(Reservation reservation) implements Taken {}

  /** It is not yet known whether the broker has the key's message. */
  record Unconfirmed() implements Taken {}

  /** The key's window is over, but the key was not purged yet: it counts as free. */
  record Expired() implements Taken {}

  /** The key is taken. Its message is known only to the database, which is away or has lost it. */
  record Unreadable() implements Taken {}
}
