package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;

/** The treatment of messages that fail repeatedly. */
public final class DLQConfig {
  /** The default limit: a message becomes a dead letter at its sixth delivery. */
  public static final int DEFAULT_DELIVERIES = 5;

  /** The attribute of a dead letter with the reason why it is one. */
  public static final String REASON = "dead_letter.reason";

  /** The attribute of a dead letter with the number of its last delivery. */
  public static final String ATTEMPT = "dead_letter.attempt";

  /** The attribute of a dead letter with the reason of its last nack, if it is known. */
  public static final String LAST_ERROR = "dead_letter.last_error";

  /** The attribute of a dead letter with its id in its original mailbox. */
  public static final String MESSAGE_ID = "dead_letter.message_id";

  /** The attribute of a dead letter with the name of its original mailbox. */
  public static final String MAILBOX = "dead_letter.mailbox";

  private final @Nullable Mailbox<byte[], ?> mailbox;
  private final int deliveries;

  private DLQConfig(@Nullable Mailbox<byte[], ?> mailbox, int deliveries) {
    this.mailbox = mailbox;
    this.deliveries = deliveries;
  }

  /** Leaves dead letters to the backend, which must have native ones. */
  public static DLQConfig backend() {
    return new DLQConfig(null, Integer.MAX_VALUE);
  }

  /**
   * Sends a copy of the bytes to another mailbox, with the attributes of this class and as many of
   * the message's own attributes as fit. Acknowledges the message when the copy is accepted.
   *
   * @param mailbox receives dead letters; the loop does not close it
   * @param deliveries how many deliveries a message may have, at least 1
   */
  public static DLQConfig to(Mailbox<byte[], ?> mailbox, int deliveries) {
    return new DLQConfig(requireNonNull(mailbox, "mailbox"), checked(deliveries));
  }

  /**
   * Logs the message's id and last error, and acknowledges it: the body is lost.
   *
   * @param deliveries how many deliveries a message may have, at least 1
   */
  public static DLQConfig logAndAcknowledge(int deliveries) {
    return new DLQConfig(null, checked(deliveries));
  }

  private static int checked(int deliveries) {
    if (deliveries < 1) {
      throw new IllegalArgumentException("deliveries must be at least 1, not " + deliveries);
    }
    return deliveries;
  }

  @Nullable Mailbox<byte[], ?> mailbox() {
    return mailbox;
  }

  boolean isBackend() {
    return deliveries == Integer.MAX_VALUE;
  }

  boolean isDead(int deliveryCount) {
    return deliveryCount > deliveries;
  }
}
