package org.svcmailbox.core.delivery;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** Something that is counted and has a most. Full means refused at once. Any thread. */
public final class CapacityLimit {
  private final String reason;
  private final String detail;
  private final Ticker ticker;
  private final AtomicLong count = new AtomicLong();
  private final LongAdder refused;
  private final DrainRate rate = new DrainRate();
  private volatile long capacity;

  /**
   * @param reason a constant word for clients and metrics
   * @param detail the same in a sentence
   * @param capacity the most
   */
  CapacityLimit(String reason, String detail, long capacity, Ticker ticker) {
    this(reason, detail, capacity, ticker, new LongAdder());
  }

  /** As above, counting what is refused together with others. */
  CapacityLimit(String reason, String detail, long capacity, Ticker ticker, LongAdder refused) {
    this.reason = reason;
    this.detail = detail;
    this.capacity = capacity;
    this.ticker = ticker;
    this.refused = refused;
  }

  /** Counts so many in, unless they are too many. */
  boolean tryAdd(long amount) {
    if (count.addAndGet(amount) > capacity) {
      count.addAndGet(-amount);
      return false;
    }
    return true;
  }

  /** As {@link #tryAdd}, with another most from now on. */
  boolean tryAdd(long amount, long newCapacity) {
    capacity = newCapacity;
    return tryAdd(amount);
  }

  /** Sets the most from now on. */
  void capacity(long newCapacity) {
    capacity = newCapacity;
  }

  /** Counts in what is there already. */
  void add(long amount) {
    count.addAndGet(amount);
  }

  /** So many are gone. */
  void remove(long amount) {
    count.addAndGet(-amount);
    rate.drained(amount);
  }

  /** So many were counted in by mistake. */
  void undo(long amount) {
    count.addAndGet(-amount);
  }

  /** Sets the count to what is known from elsewhere. */
  void recount(long actual) {
    count.set(actual);
  }

  /** How many there are. */
  public long count() {
    return count.get();
  }

  /** How many there may be. */
  public long capacity() {
    return capacity;
  }

  /**
   * How often somebody was refused by this bound. Not every one of these reaches a client: what
   * does is counted at the door, and this is told for queues only.
   */
  public long refused() {
    return refused.sum();
  }

  /** Which bound this is, as clients and metrics name it. */
  public String reason() {
    return reason;
  }

  /** How full it is. Refusals are counted where they are answered, each once. */
  List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(this::count, reason),
        Family.BOUND_CAPACITY.of(this::capacity, reason));
  }

  /** Of a bound on a queue: what the queue turned away. */
  Metric turnedAway() {
    return Family.QUEUE_DROPPED_TOTAL.of(this::refused, reason);
  }

  boolean isFull() {
    return isFullWith(0);
  }

  /** Whether it is once so much more is counted in. */
  boolean isFullWith(long more) {
    return count.get() + more >= capacity;
  }

  /** What whoever does not get in is told: to come back when this has drained. */
  Refusal refusal() {
    refused.increment();
    return Refusal.saturated(reason, detail, rate.until(count.get(), ticker.nanos()));
  }
}
