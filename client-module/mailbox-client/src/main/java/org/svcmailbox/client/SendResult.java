package org.svcmailbox.client;

/** The result for one message of {@link Mailbox#sendAll}: {@link Accepted} or {@link Failed}. */
public sealed interface SendResult {
  /** The message is in the mailbox. */
  record Accepted(Sent sent) implements SendResult {}

  /**
   * The message was refused, or the call got no answer.
   *
   * @param cause the exception that {@link Mailbox#send(Outgoing)} would have thrown: a {@link
   *     MailboxException}, or an {@link IllegalArgumentException} if the service has narrower
   *     limits
   */
  record Failed(RuntimeException cause) implements SendResult {}

  /**
   * Returns the answer if the message was accepted.
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
