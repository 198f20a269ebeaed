package org.svcmailbox.client;

/** How one message of {@link Mailbox#sendAll} fared: {@link Accepted} or {@link Failed}. */
public sealed interface SendResult {
  /** The message is in the mailbox. */
  record Accepted(Sent sent) implements SendResult {}

  /**
   * The message was refused, or its answer is missing.
   *
   * @param cause what {@link Mailbox#send(Outgoing)} would have thrown: a {@link MailboxException},
   *     or an {@link IllegalArgumentException} of a service with narrower bounds
   */
  record Failed(RuntimeException cause) implements SendResult {}

  /**
   * Returns the answer to an accepted message.
   *
   * @throws RuntimeException the cause of the failure
   */
  default Sent orThrow() {
    if (this instanceof Accepted accepted) {
      return accepted.sent();
    }
    throw ((Failed) this).cause();
  }
}
