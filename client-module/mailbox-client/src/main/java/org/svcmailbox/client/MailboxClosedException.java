package org.svcmailbox.client;

/** The mailbox is closing or closed. A refused send sent nothing. */
public final class MailboxClosedException extends MailboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param name the mailbox's name
   */
  public MailboxClosedException(String name) {
    super("mailbox " + name + " is closed");
  }
}
