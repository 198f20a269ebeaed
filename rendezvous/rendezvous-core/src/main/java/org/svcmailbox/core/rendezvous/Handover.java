package org.svcmailbox.core.rendezvous;

/**
 * A message on its way to a client. Its mailbox delivers nothing else until {@link #written} or
 * {@link #failed}; later calls do nothing. Any thread, never blocks.
 */
public interface Handover {
  /** Not a copy: do not modify. */
  byte[] body();

  long sequence();

  /** Messages behind it. */
  int remaining();

  /** The operating system accepted the last byte of the response: the message is gone. */
  void written();

  /** The client left earlier: the message returns to its place, with its sequence and age. */
  void failed();
}
