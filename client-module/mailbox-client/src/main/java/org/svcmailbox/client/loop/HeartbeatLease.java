package org.svcmailbox.client.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.svcmailbox.client.MailboxClock;

/**
 * A lease as its heartbeat sees it. It is extended after a third of its length, and again after
 * every sixth until an answer comes. A late answer still counts, and a call that hangs delays no
 * other. After a temporary failure, the next attempt follows a twelfth later.
 *
 * <p>Times are nanoseconds of {@link MailboxClock#nanoTime()}.
 *
 * @param visibility the length of the lease
 * @param end when it ends, as far as known
 * @param next when it is to be extended
 * @param tried when the last attempt began
 * @param unanswered how many attempts have had no answer
 */
record HeartbeatLease(long visibility, long end, long next, long tried, int unanswered) {
  private static final int FIRST = 3;
  private static final int AGAIN = 6;
  private static final int PAUSE = 12;

  /** A lease that begins now. */
  static HeartbeatLease begun(Duration visibility, long now) {
    long length = nanos(visibility);
    return new HeartbeatLease(length, now + length, now + length / FIRST, now, 0);
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(MailboxClock.FOREVER) < 0
        ? duration.toNanos()
        : MailboxClock.FOREVER.toNanos();
  }

  /** Whether another worker may have the message. */
  boolean isOver(long now) {
    return now - end >= 0;
  }

  boolean isDue(long now) {
    return now - next >= 0;
  }

  /** Whether to extend it together with leases that are due, which saves a call later. */
  private boolean comesAlong(long now) {
    return isDue(now) || (unanswered == 0 && now - (next - visibility / AGAIN) >= 0);
  }

  /** When it next ends or must be extended. */
  long nextDue() {
    return next - end < 0 ? next : end;
  }

  /** How long the last attempt has had no answer; zero if it has one. */
  Duration silence(long now) {
    return unanswered == 0 ? Duration.ZERO : Duration.ofNanos(now - tried);
  }

  /** An attempt begins. */
  HeartbeatLease tried(long now) {
    return new HeartbeatLease(visibility, end, now + visibility / AGAIN, now, unanswered + 1);
  }

  /** An attempt that began at a moment succeeded. The backend's lease begins later than that. */
  HeartbeatLease extended(long begun) {
    boolean isNews = begun + visibility - end > 0;
    return isNews
        ? new HeartbeatLease(visibility, begun + visibility, begun + visibility / FIRST, begun, 0)
        : this;
  }

  /** An attempt failed; the next may succeed. */
  HeartbeatLease failed(long now) {
    long soon = now + pause();
    return new HeartbeatLease(
        visibility, end, soon - next < 0 ? soon : next, tried, Math.max(0, unanswered - 1));
  }

  /** The backend extends it no further. */
  HeartbeatLease unextended(long now) {
    return new HeartbeatLease(visibility, end, now + MailboxClock.FOREVER.toNanos(), tried, 0);
  }

  private long pause() {
    return visibility / PAUSE + 1;
  }

  /** When work on a lease that cannot be extended must end, so that there is still time to nack. */
  long lastMoment() {
    return end - pause();
  }

  /**
   * The calls to make now.
   *
   * @param all the leased items, some of which may be due
   * @param lease returns an item's lease
   * @param size the largest batch
   * @return batches, the earliest ends first; empty if nothing is due
   */
  static <J> List<List<J>> batches(
      Collection<J> all, Function<J, HeartbeatLease> lease, long now, int size) {
    if (all.stream().noneMatch(each -> lease.apply(each).isDue(now))) {
      return List.of();
    }
    List<J> due =
        all.stream()
            .filter(each -> lease.apply(each).comesAlong(now))
            .sorted(Comparator.comparingLong(each -> lease.apply(each).end() - now))
            .toList();
    List<List<J>> batches = new ArrayList<>();
    for (int from = 0; from < due.size(); from += size) {
      batches.add(due.subList(from, Math.min(due.size(), from + size)));
    }
    return batches;
  }
}
