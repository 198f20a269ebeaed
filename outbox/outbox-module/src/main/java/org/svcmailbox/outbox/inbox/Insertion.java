package org.svcmailbox.outbox.inbox;

/** The state of a message in the inbox when it comes. */
public enum Insertion {
  /** It comes for the first time. */
  NEW,
  /** It came before and is not processed. */
  UNFINISHED,
  /** It is processed. Nothing was changed. */
  PROCESSED
}
