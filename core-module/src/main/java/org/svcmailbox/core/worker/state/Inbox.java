package org.svcmailbox.core.worker.state;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.time.Ticker;

/**
 * A bounded queue from many threads to one worker, which also sleeps here. A full inbox refuses at
 * once. The inbox outlives its worker.
 */
public final class Inbox<T> {
  /** The name of this limit for clients and in metrics. */
  public static final String REASON = "worker_inbox";

  private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
  private final CapacityLimit size;
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile @Nullable Thread sleeper;

  /** Gets the elements while the inbox is closed; null while it is open. */
  private volatile @Nullable Consumer<T> refuser;

  /** Gets the elements while the worker keeps its callers waiting; null otherwise. */
  private volatile @Nullable Consumer<T> diversion;

  public Inbox(int capacity, Ticker ticker) {
    this.size = new CapacityLimit(REASON, "the shard's worker is saturated", capacity, ticker);
  }

  /** Adds unless full; any thread. */
  public boolean offer(T element) {
    if (!size.tryAdd(1)) {
      return false;
    }
    enqueue(element);
    return true;
  }

  /**
   * Adds even when full, for commands that must not be dropped and are bounded elsewhere: one
   * give-back per answered RECV, one per administrator's call.
   */
  public void offerAlways(T element) {
    size.add(1);
    enqueue(element);
  }

  /** Takes the oldest element, which counts until {@link #done}. For the worker only. */
  public @Nullable T poll() {
    return queue.poll();
  }

  /** Releases the room of {@code count} elements. */
  public void done(int count) {
    size.remove(count);
  }

  /** Passes present and future elements to {@code refused}. */
  public void close(Consumer<T> refused) {
    refuser = refused;
    refuse();
  }

  public void open() {
    refuser = null;
  }

  /**
   * As {@link #close}, independently of it: while the inbox is closed as well, {@link #close}
   * prevails.
   */
  public void divert(Consumer<T> refused) {
    diversion = refused;
    refuse();
  }

  public void endDiversion() {
    diversion = null;
  }

  private void refuse() {
    Consumer<T> closed = refuser;
    Consumer<T> refused = closed != null ? closed : diversion;
    T element;
    while (refused != null && (element = queue.poll()) != null) {
      done(1);
      refused.accept(element);
    }
  }

  public int size() {
    return (int) size.count();
  }

  /** Counts a refusal because of a full inbox, and returns it. */
  public Refusal refuseFull() {
    return size.refuse();
  }

  public CapacityLimit limit() {
    return size;
  }

  /** Ends the worker's sleep, or the next one before it begins. */
  public void wake() {
    woken.set(true);
    unpark();
  }

  /** Sleeps until there is work, at most {@code nanos}. For the worker only. */
  public void await(long nanos) {
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
