package org.svcmailbox.core.rate;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * A bounded table of token buckets. Only full buckets are forgotten, so nobody gets a new bucket
 * before the old one would have been full. A holder gets no new bucket while it has as many as are
 * free, so it cannot take the room of others. Any thread.
 */
public final class Buckets<K> {
  /** The wait of a holder that gets no new bucket. */
  static final Duration CROWDED = Duration.ofSeconds(1);

  /** A bucket's size and the time in which it fills. Another rate has another bucket. */
  public record Limit<K>(K owner, int calls, Duration period) {}

  private final int most;
  private final TimeMeter meter;
  private final Map<Limit<K>, Counted> buckets = new HashMap<>();
  private final Map<Object, Integer> held = new HashMap<>();
  private final PriorityQueue<Counted> byDue =
      new PriorityQueue<>(Comparator.comparingLong((Counted counted) -> counted.due));

  private final class Counted {
    private final Object holder;
    private final Limit<K> limit;
    private final Bucket bucket;
    private long due;

    Counted(Object holder, Limit<K> limit) {
      this.holder = holder;
      this.limit = limit;
      this.bucket =
          Bucket.builder()
              .withCustomTimePrecision(meter)
              .withSynchronizationStrategy(SynchronizationStrategy.NONE)
              .addLimit(
                  full -> full.capacity(limit.calls()).refillGreedy(limit.calls(), limit.period()))
              .build();
    }

    /** Zero when {@code calls} are available. */
    long nanosUntil(long calls) {
      return bucket.estimateAbilityToConsume(calls).getNanosToWaitForRefill();
    }
  }

  /**
   * @param nanos a monotonic clock
   */
  public Buckets(int most, LongSupplier nanos) {
    this.most = most;
    this.meter = new Meter(nanos, nanos.getAsLong());
  }

  /**
   * Takes one call from each limit, or none from any.
   *
   * @param holder whose share of the table the buckets take; owners that one client can invent have
   *     the same holder
   * @param limits of different owners
   * @return the time until the call is available; empty if it was taken
   */
  public synchronized Optional<Duration> take(Object holder, List<Limit<K>> limits) {
    forgetFull();
    long wait = limits.stream().mapToLong(this::nanosUntil).max().orElse(0);
    if (wait > 0) {
      return Optional.of(Duration.ofNanos(wait));
    }
    long added = limits.stream().filter(limit -> !buckets.containsKey(limit)).count();
    if (added > 0 && held.getOrDefault(holder, 0) + added > most - buckets.size()) {
      return Optional.of(CROWDED);
    }
    limits.forEach(limit -> counted(holder, limit).bucket.tryConsume(1));
    return Optional.empty();
  }

  private long nanosUntil(Limit<K> limit) {
    Counted known = buckets.get(limit);
    return known == null ? 0 : known.nanosUntil(1);
  }

  private Counted counted(Object holder, Limit<K> limit) {
    return buckets.computeIfAbsent(
        limit,
        fresh -> {
          Counted counted = new Counted(holder, fresh);
          held.merge(holder, 1, Integer::sum);
          byDue.add(counted);
          return counted;
        });
  }

  /** A bucket that was used after it was queued is due later than its place in the queue says. */
  private void forgetFull() {
    long now = meter.currentTimeNanos();
    for (Counted first = byDue.peek(); first != null && first.due <= now; first = byDue.peek()) {
      byDue.remove();
      long wait = first.nanosUntil(first.limit.calls());
      if (wait > 0) {
        first.due = now + wait;
        byDue.add(first);
      } else {
        buckets.remove(first.limit);
        held.computeIfPresent(first.holder, (holder, count) -> count > 1 ? count - 1 : null);
      }
    }
  }

  public synchronized long size() {
    return buckets.size();
  }

  /** Counts from its creation, because the clock may wrap and buckets compare absolute values. */
  private record Meter(LongSupplier nanos, long beginning) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return nanos.getAsLong() - beginning;
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
