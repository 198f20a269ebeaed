package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.time.Ticker;

/** A count with a capacity. It refuses at once when it is full. Any thread. */
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
   */
  public CapacityLimit(String reason, String detail, long capacity, Ticker ticker) {
    this(reason, detail, capacity, ticker, new LongAdder());
  }

  /** As above, with a shared counter of refusals. */
  CapacityLimit(String reason, String detail, long capacity, Ticker ticker, LongAdder refused) {
    this.reason = reason;
    this.detail = detail;
    this.capacity = capacity;
    this.ticker = ticker;
    this.refused = refused;
  }

  /** Adds {@code amount} unless that exceeds the capacity. A refused amount is never counted. */
  public boolean tryAdd(long amount) {
    long has = count.get();
    while (has + amount <= capacity) {
      if (count.compareAndSet(has, has + amount)) {
        return true;
      }
      has = count.get();
    }
    return false;
  }

  /** As {@link #tryAdd}, after setting the capacity. */
  public boolean tryAdd(long amount, long newCapacity) {
    capacity = newCapacity;
    return tryAdd(amount);
  }

  /** Adds an existing amount, even beyond the capacity. */
  public void add(long amount) {
    count.addAndGet(amount);
  }

  /** Removes an amount, and counts it towards the drain rate. */
  public void remove(long amount) {
    count.addAndGet(-amount);
    rate.drained(amount);
  }

  /**
   * Does some work that counts as one meanwhile.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException when full
   */
  public <T> T counted(Supplier<T> work) {
    if (!tryAdd(1)) {
      throw refuse().asSaturated();
    }
    try {
      return work.get();
    } finally {
      remove(1);
    }
  }

  /** Reverts an addition, without counting towards the drain rate. */
  public void undo(long amount) {
    count.addAndGet(-amount);
  }

  public void recount(long actual) {
    count.set(actual);
  }

  public long count() {
    return count.get();
  }

  public long capacity() {
    return capacity;
  }

  /**
   * Refusals by this limit. Exported for queues only, because other refusals are counted when they
   * are answered.
   */
  public long refused() {
    return refused.sum();
  }

  public String reason() {
    return reason;
  }

  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(this::count, reason),
        Family.BOUND_CAPACITY.of(this::capacity, reason));
  }

  Metric turnedAway() {
    return Family.QUEUE_DROPPED_TOTAL.of(this::refused, reason);
  }

  public boolean isFull() {
    return isFull(capacity, 0);
  }

  /** Whether the count plus {@code more}, which is not counted yet, reaches {@code most}. */
  public boolean isFull(long most, long more) {
    return count.get() + more >= most;
  }

  /** The refusal when full; the drain rate tells when to retry. */
  public Refusal refusal() {
    return refusal(detail);
  }

  /** As above, with another text that says for whom it is full. */
  Refusal refusal(String why) {
    return Refusal.saturated(reason, why, rate.until(count.get(), ticker.nanos()));
  }

  /** Counts a refusal, and returns it. */
  public Refusal refuse() {
    return refuse(detail);
  }

  /** As above, with another text that says for whom it is full. */
  Refusal refuse(String why) {
    refused.increment();
    return refusal(why);
  }
}
