package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.time.Ticker;

/**
 * Forwarded RECVs, whose leases can be given back. Bounded in number, payload and time: the leases
 * of older ones then end by themselves. A give-back that comes first is remembered. Any thread.
 */
final class AnsweredRecvs {
  /** How long leases can be given back. */
  static final Duration KEPT = Duration.ofSeconds(30);

  /** The most that are kept. */
  static final int MOST = 4_096;

  /** The most bytes of payload that they keep in memory. */
  static final long MOST_BYTES = 16L << 20;

  private final Ticker ticker;
  private final Map<RecvId, Kept> kept = new LinkedHashMap<>();
  private long bytes;

  /**
   * A RECV.
   *
   * @param call null if it was given back before it came
   */
  private record Kept(@Nullable PendingRecv call, long bytes, long since) {}

  AnsweredRecvs(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Keeps an answered RECV; returns false if its leases were given back already. */
  synchronized boolean add(RecvId id, PendingRecv call, long payload) {
    Kept before = kept.remove(id);
    if (before != null) {
      bytes -= before.bytes();
      return false;
    }
    keep(id, new Kept(call, payload, ticker.nanos()));
    return true;
  }

  /** Gives back the leases of a RECV. */
  void giveBack(RecvId id) {
    PendingRecv call;
    synchronized (this) {
      Kept known = kept.remove(id);
      if (known == null) {
        keep(id, new Kept(null, 0, ticker.nanos()));
        return;
      }
      bytes -= known.bytes();
      call = known.call();
    }
    if (call != null) {
      call.abandon();
    }
  }

  private void keep(RecvId id, Kept added) {
    bytes += added.bytes();
    kept.put(id, added);
    long over = ticker.nanos() - KEPT.toNanos();
    Iterator<Kept> oldest = kept.values().iterator();
    Kept next;
    while ((kept.size() > MOST || bytes > MOST_BYTES || isOver(kept, over)) && oldest.hasNext()) {
      next = oldest.next();
      bytes -= next.bytes();
      oldest.remove();
    }
  }

  private static boolean isOver(Map<RecvId, Kept> kept, long before) {
    return !kept.isEmpty() && kept.values().iterator().next().since() - before <= 0;
  }

  /** How many are kept. */
  synchronized int size() {
    return kept.size();
  }

  /** The ids that are kept, oldest first. */
  synchronized List<RecvId> ids() {
    return new ArrayList<>(kept.keySet());
  }
}
