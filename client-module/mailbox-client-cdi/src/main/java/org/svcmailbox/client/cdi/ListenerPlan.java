package org.svcmailbox.client.cdi;

import java.util.Optional;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.listener.ListenerSettings;

/**
 * The plan of a loop.
 *
 * @param deadLetters the mailbox that receives dead letters, if configured
 */
record ListenerPlan(
    CdiListener listener,
    ListenerTarget target,
    ListenerSettings settings,
    Optional<ListenerTarget> deadLetters) {

  String mailbox() {
    return listener.mailbox();
  }

  /** The class loader of the listener's module. */
  ClassLoader loader() {
    return listener.bean().getBeanClass().getClassLoader();
  }

  /** Checks the settings against the features of the mailbox. */
  void check(BackendFeatures can, DeploymentProblems problems) {
    if (settings.visibility().compareTo(can.minVisibility()) < 0
        || settings.visibility().compareTo(can.maxVisibility()) > 0) {
      problems.add(
          MailboxSetting.VISIBILITY.key(mailbox()),
          "must be from " + can.minVisibility() + " to " + can.maxVisibility() + " here");
    }
    if (settings.ordered() && !isOrderPossible(can.ordering())) {
      problems.add(
          MailboxSetting.ORDERED.key(mailbox()),
          "a concurrency of "
              + settings.concurrency()
              + " cannot keep the order of a mailbox that is "
              + can.ordering());
    }
    boolean isNative = can.deadLetters() == DeadLetters.NATIVE;
    boolean isLimited = settings.deadLetterLimit().isPresent();
    if (isNative && isLimited && settings.deadLetterMailbox().isEmpty()) {
      problems.add(
          MailboxSetting.DEAD_LETTER_LIMIT.key(mailbox()),
          "needs a dead-letter-mailbox: this backend keeps dead letters by a limit of its own");
    }
    if (!isNative && !isLimited) {
      problems.add(
          MailboxSetting.DEAD_LETTER_MAILBOX.key(mailbox()),
          "is missing: this backend keeps no dead letters; a "
              + MailboxSetting.DEAD_LETTER_LIMIT.key(mailbox())
              + " alone logs and deletes them");
    }
  }

  private boolean isOrderPossible(Ordering ordering) {
    return ordering == Ordering.STRICT
        || (ordering != Ordering.BEST_EFFORT && settings.concurrency() == 1);
  }
}
