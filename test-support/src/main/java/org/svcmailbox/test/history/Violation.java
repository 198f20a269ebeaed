package org.svcmailbox.test.history;

/**
 * Something in a history that no honest mailbox can have answered.
 *
 * @param subject the message, key or topic it is about
 */
public record Violation(Kind kind, String subject, String detail) {
  /** Which promise was broken. */
  public enum Kind {
    /** A message that exists was neither acknowledged, nor left, nor dead. */
    LOST,
    /** A message was received that nobody can have sent. */
    INVENTED,
    /** A message was there after its ACK had been answered. */
    AFTER_ACK,
    /** SENDs of one key inside the window are not one message. */
    DUPLICATE,
    /** An attempt number fell, was repeated without a crash, or left numbers out. */
    ATTEMPT,
    /** Two leases of one message were live at once. */
    TWO_LEASES,
    /** Too many messages of a shard overtook one. */
    ORDER,
    /** There are dead letters that no message accounts for. */
    DEAD_LETTERS
  }

  @Override
  public String toString() {
    return kind + " " + subject + ": " + detail;
  }
}
