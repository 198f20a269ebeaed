package org.svcmailbox.core.route;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls for one peer, from many threads into few frames. A call counts until its frame has ended. A
 * frame takes what waits when it begins, so frames grow under load. Any thread.
 */
final class PeerQueue<C> {
  /** The most calls that wait or are under way. */
  static final int MOST_CALLS = 2_000;

  /** The most bytes of such calls. */
  static final long MOST_BYTES = 16L << 20;

  /** The most frames under way. */
  static final int MOST_FRAMES = 4;

  private final int mostCalls;
  private final long mostBytes;
  private final Deque<Waiting<C>> waiting = new ArrayDeque<>();
  private int calls;
  private long bytes;
  private int frames;

  private record Waiting<C>(C call, int bytes, long since) {}

  /**
   * Calls that leave together.
   *
   * @param bytes of all of them
   */
  record Frame<C>(List<C> calls, long bytes) {}

  PeerQueue() {
    this(MOST_CALLS, MOST_BYTES);
  }

  PeerQueue(int mostCalls, long mostBytes) {
    this.mostCalls = mostCalls;
    this.mostBytes = mostBytes;
  }

  /** Adds a call unless there is no room for it. */
  synchronized boolean offer(C call, int size, long now) {
    if (calls == mostCalls || bytes + size > mostBytes) {
      return false;
    }
    calls++;
    bytes += size;
    waiting.add(new Waiting<>(call, size, now));
    return true;
  }

  /**
   * Begins a frame with the oldest calls.
   *
   * @param most frames that may be under way with it
   * @return null if no call waits, or if so many frames are under way
   */
  synchronized @Nullable Frame<C> begin(int most) {
    if (frames >= most || waiting.isEmpty()) {
      return null;
    }
    frames++;
    List<C> taken = new ArrayList<>();
    long size = 0;
    Waiting<C> next;
    while ((next = waiting.peek()) != null
        && taken.size() < PeerCodec.MOST_CALLS
        && (taken.isEmpty() || size + next.bytes() <= PeerCodec.FULL)) {
      waiting.remove();
      taken.add(next.call());
      size += next.bytes();
    }
    return new Frame<>(taken, size);
  }

  /** Ends a frame, and frees the room of its calls. */
  synchronized void end(Frame<C> frame) {
    frames--;
    calls -= frame.calls().size();
    bytes -= frame.bytes();
  }

  /** Removes the calls that wait since {@code before} or earlier. */
  synchronized List<C> removeOlder(long before) {
    List<C> removed = new ArrayList<>();
    Waiting<C> next;
    while ((next = waiting.peek()) != null && next.since() - before <= 0) {
      waiting.remove();
      removed.add(next.call());
      calls--;
      bytes -= next.bytes();
    }
    return removed;
  }

  /** Whether a call waits for a frame. */
  synchronized boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Calls that wait or are under way. */
  synchronized int calls() {
    return calls;
  }

  /** Their bytes. */
  synchronized long bytes() {
    return bytes;
  }
}
