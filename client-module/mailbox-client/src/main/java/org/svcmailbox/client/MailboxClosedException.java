package org.svcmailbox.client;

/** A call to a mailbox that is closing or closed. Of a send, nothing was sent. */
public final class MailboxClosedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param name the mailbox's name
   */
  public MailboxClosedException(String name) {
    super("mailbox " + name + " is closed");
  }
}
