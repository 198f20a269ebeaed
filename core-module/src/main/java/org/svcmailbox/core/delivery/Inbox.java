package org.svcmailbox.core.delivery;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from many threads to one worker, and the place where that worker sleeps. Full
 * means refused at once: nobody ever waits to get in. It outlives the worker that takes from it.
 */
final class Inbox<T> {
  /** The bound of every inbox, as clients and metrics name it. */
  static final String REASON = "worker_inbox";

  private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
  private final CapacityLimit size;
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  /** Gets what nobody is there to take; null while somebody is. */
  private volatile @Nullable Consumer<T> refuser;

  Inbox(int capacity, Ticker ticker) {
    this.size = new CapacityLimit(REASON, "the shard's worker is saturated", capacity, ticker);
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

  /** Has everything that is in it, or comes from now on, go to {@code refused} at once. */
  void close(Consumer<T> refused) {
    refuser = refused;
    refuse();
  }

  /** Keeps elements again until they are taken. */
  void open() {
    refuser = null;
  }

  private void refuse() {
    Consumer<T> refused = refuser;
    T element;
    while (refused != null && (element = queue.poll()) != null) {
      done(1);
      refused.accept(element);
    }
  }

  int size() {
    return (int) size.count();
  }

  CapacityLimit limit() {
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
    refuse();
  }

  private void unpark() {
    Thread thread = sleeper;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
