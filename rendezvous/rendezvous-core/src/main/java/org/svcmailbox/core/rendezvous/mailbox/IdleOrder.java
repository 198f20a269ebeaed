package org.svcmailbox.core.rendezvous.mailbox;

import org.jspecify.annotations.Nullable;

/**
 * A stripe's mailboxes without messages and waiting GETs, least recently used first. Guarded by the
 * stripe.
 */
final class IdleOrder {
  private @Nullable Box oldest;
  private @Nullable Box newest;

  /** Adds a mailbox in order, nearly always at the end. */
  void add(Box box) {
    Box before = newest;
    while (before != null && before.lastUsed - box.lastUsed > 0) {
      before = before.olderIdle;
    }
    Box behind = before == null ? oldest : before.newerIdle;
    link(before, box);
    link(box, behind);
    box.isIdle = true;
  }

  void remove(Box box) {
    if (box.isIdle) {
      link(box.olderIdle, box.newerIdle);
      box.olderIdle = null;
      box.newerIdle = null;
      box.isIdle = false;
    }
  }

  private void link(@Nullable Box older, @Nullable Box newer) {
    if (older == null) {
      oldest = newer;
    } else {
      older.newerIdle = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.olderIdle = older;
    }
  }

  @Nullable Box oldest() {
    return oldest;
  }
}
