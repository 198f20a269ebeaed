package org.svcmailbox.core.rendezvous.mailbox;

import org.jspecify.annotations.Nullable;

/** A stripe's messages, oldest first. Guarded by the stripe. */
final class ArrivalOrder {
  private @Nullable HeldMessage oldest;
  private @Nullable HeldMessage newest;

  void append(HeldMessage message) {
    message.older = newest;
    if (newest == null) {
      oldest = message;
    } else {
      newest.newer = message;
    }
    newest = message;
  }

  void remove(HeldMessage message) {
    HeldMessage older = message.older;
    HeldMessage newer = message.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
  }

  @Nullable HeldMessage oldest() {
    return oldest;
  }
}
