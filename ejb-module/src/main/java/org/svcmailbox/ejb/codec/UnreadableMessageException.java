package org.svcmailbox.ejb.codec;

import org.svcmailbox.core.message.DeadLetterReason;

/** A queued message that this service did not write, or that was altered afterwards. */
public final class UnreadableMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final DeadLetterReason reason;

  UnreadableMessageException(String message) {
    super(message);
    this.reason = DeadLetterReason.UNREADABLE;
  }

  UnreadableMessageException(String message, Throwable cause) {
    super(message, cause);
    this.reason = DeadLetterReason.UNREADABLE;
  }

  private UnreadableMessageException(DeadLetterReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** A message whose properties do not match its seal. */
  static UnreadableMessageException altered() {
    return new UnreadableMessageException(
        DeadLetterReason.INTEGRITY, "the message's properties are not what was stored");
  }

  /** The reason of the dead letter that it becomes. */
  public DeadLetterReason reason() {
    return reason;
  }

  /** The fault, for a dead letter's last error. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
