package org.svcmailbox.outbox.inbox;

/** What the inbox knows of a message that comes. */
public enum Insertion {
  /** It comes for the first time. */
  NEW,
  /** It came before and is not processed. */
  UNFINISHED,
  /** It is processed. Nothing was changed. */
  PROCESSED
}
