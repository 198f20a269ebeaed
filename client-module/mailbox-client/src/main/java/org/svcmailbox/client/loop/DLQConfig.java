package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;

/** The fate of messages that fail again and again. */
public final class DLQConfig {
  /** The specification's limit: a sixth delivery is a dead letter. */
  public static final int DEFAULT_DELIVERIES = 5;

  /** The attribute of a dead letter that says why it is one. */
  public static final String REASON = "dead_letter.reason";

  /** The attribute of a dead letter with the number of its last delivery. */
  public static final String ATTEMPT = "dead_letter.attempt";

  /** The attribute of a dead letter with the reason of its last nack, if it is known. */
  public static final String LAST_ERROR = "dead_letter.last_error";

  /** The attribute of a dead letter with its id in the mailbox that it comes from. */
  public static final String MESSAGE_ID = "dead_letter.message_id";

  /** The attribute of a dead letter with the name of the mailbox that it comes from. */
  public static final String MAILBOX = "dead_letter.mailbox";

  private final @Nullable Mailbox<byte[], ?> mailbox;
  private final int deliveries;

  private DLQConfig(@Nullable Mailbox<byte[], ?> mailbox, int deliveries) {
    this.mailbox = mailbox;
    this.deliveries = deliveries;
  }

  /** The backend takes dead letters out; only where they are native. */
  public static DLQConfig backend() {
    return new DLQConfig(null, Integer.MAX_VALUE);
  }

  /**
   * Sends a copy of the bytes to another mailbox, with the attributes named here and as many of the
   * message's own as fit. Acknowledges the message once the copy is accepted.
   *
   * @param mailbox takes dead letters; stays open
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
