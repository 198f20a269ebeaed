package org.svcmailbox.core.topic;

/** When a test double's next write fails. */
public enum Fault {
  /** Nothing was written. */
  BEFORE,
  /** Everything was written, but the caller is not told. */
  AFTER
}
