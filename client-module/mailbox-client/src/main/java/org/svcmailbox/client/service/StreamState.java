package org.svcmailbox.client.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a stream: those that came and were not handed out, and those that were handed out
 * and not settled. Decides without threads, locks and time.
 *
 * <p>A message that lay unread for too long is never handed out: its lease would be taken for a new
 * one.
 */
final class StreamState<M> {
  private static final Duration LONGEST_PATIENCE = Duration.ofMillis(250);

  /**
   * While it is not known how long leases last; the shortest that topics usually have is longer.
   */
  private static final Duration UNKNOWN_PATIENCE = Duration.ofSeconds(5);

  /** The part of a lease that a message may lie unread while nobody receives. */
  private static final int PATIENCE_PART = 6;

  /** How much longer it may lie unread at all. */
  private static final int STALE_TIMES = 4;

  private record Unread<M>(long n, M message, long arrived) {}

  private final MessageView<M> format;
  private final int largest;
  private final boolean isByCredit;
  private final Deque<Unread<M>> unread = new ArrayDeque<>();

  /** The bytes of messages that are handed out, by their receipts, the oldest first. */
  private final Map<String, Integer> held = new LinkedHashMap<>();

  private @Nullable Duration visibility;
  private @Nullable String id;
  private int window;
  private long unreadBytes;
  private long heldBytes;
  private long lastRead;
  private long lastHanded;

  /** Messages that were granted and have not come. */
  private int credit;

  /**
   * Of no stream.
   *
   * @param largest the most bytes of one message
   * @param isByCredit whether a message comes only for credit that was granted
   */
  StreamState(MessageView<M> format, int largest, boolean isByCredit) {
    this.format = format;
    this.largest = largest;
    this.isByCredit = isByCredit;
  }

  /**
   * Records that another stream begins. If it resumes one, its numbers continue after the last one;
   * if not, the service does not count held messages.
   */
  void begin(StreamTerms request) {
    visibility = request.visibility();
    window = request.window();
    id = null;
    credit = 0;
    StreamTerms.Resume resume = request.resume();
    lastRead = resume == null ? 0 : resume.last();
    lastHanded = lastRead;
    dropUnread();
    if (resume == null) {
      held.clear();
      heldBytes = 0;
    }
  }

  void opened(String stream) {
    id = stream;
  }

  /**
   * Adds a message that has arrived.
   *
   * @param n greater than that of the message before
   */
  void add(long n, M message, long now) throws IOException {
    if (id == null || n <= lastRead) {
      throw new IOException("message " + n + " of the stream is out of turn");
    }
    lastRead = n;
    credit = Math.max(0, credit - 1);
    unread.add(new Unread<>(n, message, now));
    unreadBytes += format.bytes(message);
  }

  /** Hands messages out in their order, unless the first one lay unread for too long. */
  List<M> take(int max, long now) {
    List<M> taken = new ArrayList<>();
    if (!isStale(now)) {
      for (Unread<M> next = unread.peek(); next != null && taken.size() < max; ) {
        unread.remove();
        handOut(next);
        taken.add(next.message());
        next = unread.peek();
      }
    }
    return taken;
  }

  private void handOut(Unread<M> next) {
    lastHanded = next.n();
    int bytes = format.bytes(next.message());
    unreadBytes -= bytes;
    Integer before = held.put(format.receipt(next.message()), bytes);
    heldBytes += bytes - (before == null ? 0 : before);
    if (held.size() > window) {
      // The service would have sent no more if the oldest had not ended elsewhere.
      settled(held.keySet().iterator().next());
    }
  }

  /** A message is settled, or its lease is lost; whether that made room. */
  boolean settled(String receipt) {
    boolean wasFull = isFull();
    Integer bytes = held.remove(receipt);
    heldBytes -= bytes == null ? 0 : bytes;
    return wasFull && !isFull();
  }

  /** Whether the service may send no more, as far as is known here. */
  boolean isFull() {
    return held.size() + unread.size() >= window
        || heldBytes + unreadBytes > StreamTerms.WINDOW_BYTES - largest;
  }

  /**
   * Grants what receives that wait ask for and what was not granted before.
   *
   * @param demand how many messages they ask for together
   * @return how many messages more may come
   */
  int grant(int demand) {
    int more = isByCredit ? Math.max(0, demand - unread.size() - credit) : 0;
    credit += more;
    return more;
  }

  /** Whether messages may come, or are there. */
  boolean mayBring() {
    return hasUnread() || (isByCredit ? credit > 0 : !isFull());
  }

  /** Whether the stream will always bring less than receives ask for. */
  boolean isTooNarrow(int demand) {
    return !isByCredit && demand > window;
  }

  /**
   * Adopts the service's number of unsettled messages: the oldest ones beyond it have lost their
   * leases.
   */
  void unsettled(int count) {
    while (!held.isEmpty() && held.size() + unread.size() > count) {
      boolean unused = settled(held.keySet().iterator().next());
    }
  }

  /** Whether there is room for what the service should not send: it keeps to the window. */
  boolean wantsMore() {
    return unread.size() < window && unreadBytes <= StreamTerms.WINDOW_BYTES;
  }

  boolean hasUnread() {
    return !unread.isEmpty();
  }

  /** Whether the oldest unread message is too old to be delivered. */
  boolean isStale(long now) {
    return hasUnread() && now - staleAt() >= 0;
  }

  /** The moment when the oldest unread message is too old; there must be one. */
  long staleAt() {
    return unread.element().arrived() + patience().toNanos() * STALE_TIMES;
  }

  /** How long messages may come that nobody asks for. */
  Duration patience() {
    Duration part = visibility == null ? LONGEST_PATIENCE : visibility.dividedBy(PATIENCE_PART);
    return part.compareTo(LONGEST_PATIENCE) < 0 ? part : LONGEST_PATIENCE;
  }

  /** How long the window may be full: a lease that ends makes room that nobody asked for. */
  Duration patienceWhileFull() {
    return visibility == null ? UNKNOWN_PATIENCE : visibility.dividedBy(2);
  }

  boolean hasLeasesOf(@Nullable Duration wanted) {
    return Objects.equals(visibility, wanted);
  }

  int window() {
    return window;
  }

  int held() {
    return held.size();
  }

  /**
   * The stream is over. Unread messages are dropped; a stream that resumes this one brings them
   * again.
   *
   * @param until how long the service remembers it
   * @return null if it was never open
   */
  StreamTerms.@Nullable Resume end(long until) {
    dropUnread();
    return id == null ? null : new StreamTerms.Resume(id, lastHanded, until);
  }

  private void dropUnread() {
    unread.clear();
    unreadBytes = 0;
  }
}
