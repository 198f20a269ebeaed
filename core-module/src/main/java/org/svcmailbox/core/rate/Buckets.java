package org.svcmailbox.core.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A bounded table of token buckets. When it is full, the least used one is forgotten. Any thread.
 */
public final class Buckets<K> {
  /** A bucket unused for this long is full. */
  public static final Duration LONGEST_PERIOD = Duration.ofHours(1);

  /** Includes the rate, so another rate gets another bucket. */
  private record Key<K>(K owner, int calls, Duration period) {}

  private final Cache<Key<K>, Bucket> buckets;
  private final TimeMeter meter;

  /**
   * @param nanos a monotonic clock
   */
  public Buckets(int most, LongSupplier nanos) {
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(most)
            .expireAfterAccess(LONGEST_PERIOD)
            .ticker(nanos::getAsLong)
            .executor(Runnable::run)
            .build();
    this.meter = new Meter(nanos, nanos.getAsLong());
  }

  /** Takes one call; returns the time until one is available, or empty when it was taken. */
  public Optional<Duration> take(K owner, int calls, Duration period) {
    Bucket bucket = buckets.get(new Key<>(owner, calls, period), key -> full(calls, period));
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  public long size() {
    return buckets.estimatedSize();
  }

  private Bucket full(int calls, Duration period) {
    return Bucket.builder()
        .withCustomTimePrecision(meter)
        .addLimit(limit -> limit.capacity(calls).refillGreedy(calls, period))
        .build();
  }

  /** Counts from its creation: the clock may wrap, and buckets compare absolute values. */
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
