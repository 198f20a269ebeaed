package org.svcmailbox.core.delivery;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from many threads to one worker, and the place where that worker sleeps. Full
 * means refused at once: nobody ever waits to get in.
 */
final class Inbox<T> {
  /** The bound of every inbox, as clients and metrics name it. */
  static final String REASON = "worker_inbox";

  private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
  private final Bound size;
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  Inbox(int capacity, Ticker ticker) {
    this.size = new Bound(REASON, "the shard's worker is saturated", capacity, ticker);
  }

  /** Adds unless full. */
  boolean offer(T element) {
    if (!size.tryAdd(1)) {
      return false;
    }
    enqueue(element);
    return true;
  }

  /**
   * Adds even when full; for what is bounded by something else and must not be dropped: one
   * give-back per answered RECV, one control command per operator's call.
   */
  void offerAlways(T element) {
    size.add(1);
    enqueue(element);
  }

  /**
   * Takes the oldest, null when there is none. It counts until {@link #done}. Only the worker calls
   * this.
   */
  @Nullable T poll() {
    return queue.poll();
  }

  /** So many of those that were taken need no room any more. */
  void done(int count) {
    size.remove(count);
  }

  int size() {
    return (int) size.count();
  }

  Bound bound() {
    return size;
  }

  /** Ends the worker's sleep, or the next one before it begins. */
  void wake() {
    woken.set(true);
    unpark();
  }

  /** Sleeps until there is something to do, at most {@code nanos}. Only the worker calls this. */
  void await(long nanos) {
    sleeper = Thread.currentThread();
    try {
      if (nanos > 0 && queue.isEmpty() && !woken.get()) {
        LockSupport.parkNanos(this, nanos);
      }
    } finally {
      sleeper = null;
      woken.set(false);
    }
  }

  private void enqueue(T element) {
    queue.add(element);
    unpark();
  }

  private void unpark() {
    Thread thread = sleeper;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
