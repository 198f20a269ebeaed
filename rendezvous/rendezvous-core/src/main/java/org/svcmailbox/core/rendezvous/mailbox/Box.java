package org.svcmailbox.core.rendezvous.mailbox;

import org.jspecify.annotations.Nullable;

/**
 * A mailbox. Its first message stays in place while it is being handed over. Guarded by its stripe.
 */
final class Box {
  final RecipientKey key;

  long lastUsed;

  boolean isBusy;

  /** Neighbours in the stripe's list of idle mailboxes, ordered by last use. */
  @Nullable Box olderIdle;

  @Nullable Box newerIdle;
  boolean isIdle;

  private @Nullable HeldMessage first;
  private @Nullable HeldMessage last;
  private int size;
  private long bytes;
  private long nextSequence;

  Box(RecipientKey key, long nextSequence, long now) {
    this.key = key;
    this.nextSequence = nextSequence;
    this.lastUsed = now;
  }

  int size() {
    return size;
  }

  long bytes() {
    return bytes;
  }

  long nextSequence() {
    return nextSequence;
  }

  long takeSequence() {
    return nextSequence++;
  }

  void append(HeldMessage message) {
    if (last == null) {
      first = message;
    } else {
      last.next = message;
    }
    last = message;
    size++;
    bytes += message.charge();
  }

  /** The message to hand over next; null while another is being handed over. */
  @Nullable HeldMessage available() {
    return isBusy ? null : first;
  }

  boolean isHandingOver(HeldMessage message) {
    return isBusy && first == message;
  }

  /** The oldest message that is not being handed over. */
  @Nullable HeldMessage oldestResting() {
    return isBusy && first != null ? first.next : first;
  }

  /** Removes the message of {@link #oldestResting}; there must be one. */
  HeldMessage removeOldestResting() {
    HeldMessage before = isBusy ? first : null;
    HeldMessage removed = before == null ? first : before.next;
    if (removed == null) {
      throw new IllegalStateException("the mailbox is empty");
    }
    return unlink(before, removed);
  }

  HeldMessage removeFirst() {
    if (first == null) {
      throw new IllegalStateException("the mailbox is empty");
    }
    return unlink(null, first);
  }

  private HeldMessage unlink(@Nullable HeldMessage before, HeldMessage removed) {
    if (before == null) {
      first = removed.next;
    } else {
      before.next = removed.next;
    }
    if (removed.next == null) {
      last = before;
    }
    size--;
    bytes -= removed.charge();
    return removed;
  }
}
