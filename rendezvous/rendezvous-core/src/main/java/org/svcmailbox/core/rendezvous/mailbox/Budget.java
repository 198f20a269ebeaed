package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.PostOutcome;

/**
 * The memory of all messages. No message is evicted to make room for others. Instead, each mailbox
 * and each client may hold a quarter of the free memory, a share that shrinks as the memory fills.
 * Any thread.
 */
final class Budget {
  /** Bytes charged for a message besides its body. */
  static final int OVERHEAD = 256;

  private static final int FREE_SHARES = 4;

  private final long capacity;
  private final AtomicLong used = new AtomicLong();
  private final ShareTable clients = new ShareTable();

  Budget(long capacity) {
    this.capacity = capacity;
  }

  static int charge(byte[] body) {
    return body.length + OVERHEAD;
  }

  boolean hasRoomFor(int charge) {
    return used.get() + charge <= capacity;
  }

  /**
   * Charges a message; returns {@code STORED}, or the reason why nothing was charged. Without a
   * client, neither the client's nor the mailbox's share is limited; {@code inMailbox} is what the
   * mailbox already holds.
   */
  PostOutcome tryAdd(int charge, @Nullable InetAddress client, long inMailbox) {
    long before = used.get();
    while (before + charge <= capacity) {
      if (used.compareAndSet(before, before + charge)) {
        return inShares(charge, client, inMailbox, (capacity - before) / FREE_SHARES);
      }
      before = used.get();
    }
    return PostOutcome.FULL;
  }

  private PostOutcome inShares(
      int charge, @Nullable InetAddress client, long inMailbox, long share) {
    PostOutcome outcome = PostOutcome.STORED;
    if (client != null && inMailbox > 0 && inMailbox + charge > share) {
      outcome = PostOutcome.MAILBOX_FULL;
    } else if (!clients.tryAdd(client, charge, share)) {
      outcome = PostOutcome.SENDER_FULL;
    }
    if (outcome != PostOutcome.STORED) {
      used.addAndGet(-charge);
    }
    return outcome;
  }

  void remove(int charge, @Nullable InetAddress client) {
    used.addAndGet(-charge);
    clients.remove(client, charge);
  }

  long used() {
    return used.get();
  }

  long capacity() {
    return capacity;
  }

  long of(InetAddress client) {
    return clients.of(client);
  }

  int clients() {
    return clients.clients();
  }
}
