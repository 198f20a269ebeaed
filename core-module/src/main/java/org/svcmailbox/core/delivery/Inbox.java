package org.svcmailbox.core.delivery;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from many threads to one worker, and the place where that worker sleeps. Full
 * means refused at once: nobody ever waits to get in.
 */
final class Inbox<T> {
  private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final int capacity;
  private volatile @Nullable Thread sleeper;

  Inbox(int capacity) {
    this.capacity = capacity;
  }

  /** Adds unless full. */
  boolean offer(T element) {
    if (size.incrementAndGet() > capacity) {
      size.decrementAndGet();
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
    size.incrementAndGet();
    enqueue(element);
  }

  /** Takes the oldest, null when there is none. Only the worker calls this. */
  @Nullable T poll() {
    T element = queue.poll();
    if (element != null) {
      size.decrementAndGet();
    }
    return element;
  }

  int size() {
    return size.get();
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
