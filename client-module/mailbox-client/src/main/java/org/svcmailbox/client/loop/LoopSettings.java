package org.svcmailbox.client.loop;

import java.time.Duration;
import java.util.function.IntFunction;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;

/**
 * The settings of one loop.
 *
 * @param workers how many messages are handled at a time
 * @param ordered whether messages are received singly
 * @param visibility how long leases last
 * @param receiveWait how long one receive waits
 * @param maxExecution how long a handler may take
 * @param retryDelay how long a message stays hidden after it failed, by the number of its delivery
 */
record LoopSettings(
    int workers,
    boolean ordered,
    Duration visibility,
    Duration receiveWait,
    Duration maxExecution,
    DLQConfig deadLetters,
    IntFunction<Duration> retryDelay,
    MailboxClock clock) {

  /** Refuses what the backend does not allow. */
  void requireAllowedBy(Mailbox<?, ?> mailbox) {
    BackendFeatures can = mailbox.features();
    requireBetween("visibility", visibility, can.minVisibility(), can.maxVisibility());
    requireBetween("receiveWait", receiveWait, Duration.ZERO, can.maxWait());
    if (can.deadLetters() != DeadLetters.NATIVE && deadLetters.isBackend()) {
      throw new IllegalStateException(
          "mailbox " + mailbox.name() + " has no dead letters of its own: set deadLetters");
    }
    if (ordered && !isOrderPossible(can.ordering())) {
      throw new UnsupportedOperationException(
          workers + " workers cannot keep the order of a mailbox that is " + can.ordering());
    }
  }

  private boolean isOrderPossible(Ordering ordering) {
    return ordering == Ordering.STRICT || (ordering != Ordering.BEST_EFFORT && workers == 1);
  }

  private static void requireBetween(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          what + " must be between " + min + " and " + max + ", not " + value);
    }
  }
}
