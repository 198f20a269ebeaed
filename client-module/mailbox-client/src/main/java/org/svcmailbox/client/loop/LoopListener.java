package org.svcmailbox.client.loop;

import java.time.Duration;

/**
 * Receives the events of a loop, for metrics and alarms. The loop's threads call the methods, so
 * they must return quickly. An exception from a method is logged and has no other effect.
 */
public interface LoopListener {
  /** How a loop's hold of a message ended. */
  enum Ending {
    /** Its handler returned, and the message was acknowledged after its reply. */
    ACKNOWLEDGED,
    /** The handler settled the message itself. */
    FINALIZED,
    /** The handler or the reply failed; the message was nacked and will be delivered again. */
    RETRIED,
    /** The message was treated as a dead letter by {@link DLQConfig}. */
    DEAD_LETTER,
    /** The time of a {@link MainLoopRequest} had passed, and it was answered with an error. */
    OUT_OF_TIME,
    /** The loop stopped; the message went back to the queue at once. */
    RETURNED,
    /** Its lease was over; another worker may have the message. */
    LEASE_LOST,
    /**
     * The backend did not accept the acknowledgement or nack; the message returns when its lease
     * ends.
     */
    UNSETTLED
  }

  /**
   * A receive was answered. The loop holds each message until {@link #ended}.
   *
   * @param mailbox its name
   * @param messages how many; zero if none came while it waited
   */
  default void received(String mailbox, int messages) {}

  /**
   * A receive failed; the loop repeats it after a pause.
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
   * The loop ends because of an error: it stops receiving, interrupts its handlers and returns
   * their messages. Called once, but not if the loop is stopped or its mailbox closed.
   *
   * @param mailbox its name
   * @param cause the error that a call threw
   */
  default void failed(String mailbox, Throwable cause) {}
}
