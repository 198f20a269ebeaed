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
 * A bounded table of token buckets. Beyond the bound the one that is used least is forgotten, and
 * begins full when it is needed again. Any thread.
 *
 * @param <K> whose bucket it is
 */
public final class Buckets<K> {
  /** The longest period of a rate: a bucket that was not used for so long is full. */
  public static final Duration LONGEST_PERIOD = Duration.ofHours(1);

  /** The bucket of one owner; the rate belongs to it, so that another rate is another bucket. */
  private record Key<K>(K owner, int calls, Duration period) {}

  private final Cache<Key<K>, Bucket> buckets;
  private final TimeMeter meter;

  /**
   * @param most the most buckets
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

  /**
   * Takes one call out of a bucket.
   *
   * @return how long it takes until there is one; empty when there was one
   */
  public Optional<Duration> take(K owner, int calls, Duration period) {
    Bucket bucket = buckets.get(new Key<>(owner, calls, period), key -> full(calls, period));
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  /** How many there are; an estimate while they change. */
  public long size() {
    return buckets.estimatedSize();
  }

  private Bucket full(int calls, Duration period) {
    return Bucket.builder()
        .withCustomTimePrecision(meter)
        .addLimit(limit -> limit.capacity(calls).refillGreedy(calls, period))
        .build();
  }

  /** Time since the beginning: the clock may wrap, and buckets compare what it says. */
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
