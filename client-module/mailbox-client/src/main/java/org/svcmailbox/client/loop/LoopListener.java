package org.svcmailbox.client.loop;

import java.time.Duration;

/**
 * Is told what a loop does, for metrics and alarms. Its methods return soon, on the loop's threads.
 * An exception out of one is logged and changes nothing.
 */
public interface LoopListener {
  /** How a loop's hold of a message ended. */
  enum Ending {
    /** Its handler returned, and the message was acknowledged after its reply. */
    ACKNOWLEDGED,
    /** Its handler settled the message by itself. */
    FINALIZED,
    /** The handler or the reply failed; the message was nacked and comes back. */
    RETRIED,
    /** It was a dead letter, as {@link DLQConfig} says. */
    DEAD_LETTER,
    /** A {@link MainLoopRequest} was past its end, and answered with an error. */
    OUT_OF_TIME,
    /** The loop stopped; the message went back to the queue at once. */
    RETURNED,
    /** Its lease was over; another worker may have the message. */
    LEASE_LOST,
    /** The backend did not take its acknowledgement or nack; it comes back after its lease. */
    UNSETTLED
  }

  /**
   * A receive was answered. The loop holds its messages until they end.
   *
   * @param mailbox its name
   * @param messages how many; zero if none came while it waited
   */
  default void received(String mailbox, int messages) {}

  /**
   * A receive failed, and is made again after a pause.
   *
   * @param mailbox its name
   */
  default void receiveFailed(String mailbox, Throwable cause) {}

  /**
   * The loop no longer holds a message. Called once for each message received, unless its handler
   * never returns.
   *
   * @param mailbox its name
   * @param handling how long the handler ran; zero if it did not
   */
  default void ended(String mailbox, Ending ending, Duration handling) {}

  /**
   * The loop cannot go on and ends: it receives nothing more, interrupts its handlers and returns
   * their messages. Called once, and not for a loop that is stopped or whose mailbox is closed.
   *
   * @param mailbox its name
   * @param cause an error out of a call
   */
  default void failed(String mailbox, Throwable cause) {}
}
