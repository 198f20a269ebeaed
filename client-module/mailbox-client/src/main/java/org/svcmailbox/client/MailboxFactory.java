package org.svcmailbox.client;

/** Opens mailboxes by name. */
@FunctionalInterface
public interface MailboxFactory {
  /**
   * Opens a mailbox for sending replies. The calling resolver closes it.
   *
   * @throws MailboxNotFoundException if no mailbox has this name
   */
  <R> Mailbox<R, ?> open(String name, Codec<R> codec);
}
