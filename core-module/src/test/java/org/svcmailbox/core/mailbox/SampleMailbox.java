package org.svcmailbox.core.mailbox;

import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.worker.state.Groups;

/** Mailboxes that no setting makes, for tests of adapters. */
public final class SampleMailbox {
  private SampleMailbox() {}

  /** With so many groups for each worker. */
  public static Mailbox withGroups(MailboxSettings settings, int each, Mailbox.Ports ports) {
    return new Mailbox(settings, new Groups(each * settings.workers(), settings.workers()), ports);
  }
}
