package org.svcmailbox.core.route;

/** The end of a call to a peer. */
sealed interface PeerReply {
  /** The owner answered. */
  record Answered(PeerAnswer answer) implements PeerReply {}

  /** The peer's queue is full; nothing was done. */
  record Full() implements PeerReply {}

  /** The peer was not reached; nothing was done. */
  record NotDone() implements PeerReply {}

  /** The call may have been carried out or not. */
  record Lost() implements PeerReply {}

  PeerReply FULL = new Full();

  PeerReply NOT_DONE = new NotDone();

  PeerReply LOST = new Lost();
}
