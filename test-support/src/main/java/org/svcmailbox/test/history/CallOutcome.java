package org.svcmailbox.test.history;

/** What a caller knows about its call. */
public enum CallOutcome {
  /** It was done. */
  OK,
  /** It was refused: nothing was changed. */
  FAIL,
  /** It may have been done: 503, or no answer. */
  UNKNOWN
}
