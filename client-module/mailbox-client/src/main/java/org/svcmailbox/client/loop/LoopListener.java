package org.svcmailbox.client.loop;

/** Is told what becomes of a loop. Its methods return soon, on the loop's threads. */
public interface LoopListener {
  /**
   * The loop cannot go on and ends: it receives nothing more, interrupts its handlers and returns
   * their messages. Called once, and not for a loop that is stopped or whose mailbox is closed.
   *
   * @param mailbox its name
   * @param cause an error out of a call
   */
  default void failed(String mailbox, Throwable cause) {}
}
