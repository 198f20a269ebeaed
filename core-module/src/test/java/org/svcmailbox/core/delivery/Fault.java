package org.svcmailbox.core.delivery;

/** When a test double's next write fails. */
public enum Fault {
  /** Nothing was written. */
  BEFORE,
  /** Everything was written; only the caller does not know. */
  AFTER,
  /** The transaction stays open; whether it takes effect is decided later. */
  LATE
}
