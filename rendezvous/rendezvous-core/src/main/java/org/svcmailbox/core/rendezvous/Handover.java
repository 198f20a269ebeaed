package org.svcmailbox.core.rendezvous;

/**
 * A message that is being handed to a client. Its mailbox delivers nothing else until {@link
 * #written} or {@link #failed}; later calls do nothing. Any thread, never blocks.
 */
public interface Handover {
  /** The message's own bytes, not a copy: do not modify. */
  byte[] body();

  long sequence();

  /** The number of messages behind it in the mailbox. */
  int remaining();

  /**
   * Removes the message, because the operating system has accepted the last byte of the response.
   */
  void written();

  /**
   * Returns the message to its place, with its sequence and age, because the client left before
   * that.
   */
  void failed();
}
