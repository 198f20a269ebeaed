package org.svcmailbox.core.rendezvous;

/**
 * A message on its way to a client. Its mailbox hands over nothing else until one of {@link
 * #written} and {@link #failed} was called; later calls do nothing. Any thread, never blocks.
 */
public interface Handover {
  /** The message; not copied, and not to be changed. */
  byte[] body();

  /** Its place among all messages of the mailbox. */
  long sequence();

  /** Messages behind it. */
  int remaining();

  /** The last byte of the response was accepted by the operating system: the message is gone. */
  void written();

  /** The client has left before: the message returns to its place, with its sequence and age. */
  void failed();
}
