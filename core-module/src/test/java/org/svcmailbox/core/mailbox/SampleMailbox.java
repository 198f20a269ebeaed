package org.svcmailbox.core.mailbox;

import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;

/** Mailboxes that no setting makes, for tests of adapters. */
public final class SampleMailbox {
  private SampleMailbox() {}

  /** With so many groups for each worker. */
  public static Mailbox withGroups(MailboxSettings settings, int each, Mailbox.Ports ports) {
    return new Mailbox(
        settings, GroupsHere.all(new Groups(each * settings.workers(), settings.workers())), ports);
  }

  /** One process among several, without a group yet. */
  public static Mailbox joining(MailboxSettings settings, int groups, Mailbox.Ports ports) {
    return new Mailbox(settings, GroupsHere.none(new Groups(groups, settings.workers())), ports);
  }

  /** Waits until it waits for a group's log. */
  public static void take(Mailbox mailbox, WorkerId group) {
    if (!mailbox.workers().take(group).join()) {
      throw new IllegalStateException("no log of " + group);
    }
  }

  /** Waits until the broker has a group's log back. */
  public static void giveAway(Mailbox mailbox, WorkerId group) {
    mailbox.workers().giveAway(group).join();
  }

  /** Whether a group takes SENDs there. */
  public static boolean holds(Mailbox mailbox, WorkerId group) {
    return mailbox.workers().holds(group);
  }
}
