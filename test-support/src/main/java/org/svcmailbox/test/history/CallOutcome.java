package org.svcmailbox.test.history;

/** A caller's knowledge about its call. */
public enum CallOutcome {
  /** It was done. */
  OK,
  /** It was refused: nothing was changed. */
  FAIL,
  /** It may have been done: 503, or no answer. */
  UNKNOWN
}
