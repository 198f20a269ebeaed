package org.svcmailbox.core.metrics;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Durations in buckets from half a millisecond to ten seconds. Recording is free of contention. */
public final class Histogram implements Distribution {
  /** Upper limits of the buckets in seconds; the last bucket has none. */
  public static final List<String> BOUNDS =
      List.of(
          "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1",
          "2.5", "5", "10");

  private static final double NANOS = 1e9;

  private static final long[] BOUND_NANOS =
      BOUNDS.stream()
          .mapToLong(bound -> new BigDecimal(bound).movePointRight(9).longValueExact())
          .toArray();

  private final Family family;
  private final Map<String, String> tags;
  private final LongAdder sumNanos = new LongAdder();
  private final List<LongAdder> buckets =
      Stream.generate(LongAdder::new).limit(BOUND_NANOS.length + 1L).toList();

  /**
   * @param labelValues one for each label, in order; from a bounded set
   */
  public Histogram(Family family, String... labelValues) {
    this.family = family;
    this.tags = family.tags(labelValues);
  }

  public void record(long nanos) {
    long taken = Math.max(0, nanos);
    buckets.get(bucket(taken)).increment();
    sumNanos.add(taken);
  }

  public long count() {
    return buckets.stream().mapToLong(LongAdder::sum).sum();
  }

  @Override
  public Family family() {
    return family;
  }

  @Override
  public Map<String, String> tags() {
    return tags;
  }

  @Override
  public List<Sample> read() {
    long[] counts = buckets.stream().mapToLong(LongAdder::sum).toArray();
    List<Sample> samples = new ArrayList<>();
    long below = 0;
    for (int i = 0; i < counts.length; i++) {
      below += counts[i];
      String bound = i < BOUNDS.size() ? BOUNDS.get(i) : "+Inf";
      samples.add(new Sample("_bucket", "le", bound, (double) below));
    }
    samples.add(Sample.of("_sum", sumNanos.sum() / NANOS));
    samples.add(Sample.of("_count", (double) below));
    return samples;
  }

  /** Most durations are short, so the first bounds are tried first. */
  private static int bucket(long nanos) {
    int bucket = 0;
    while (bucket < BOUND_NANOS.length && nanos > BOUND_NANOS[bucket]) {
      bucket++;
    }
    return bucket;
  }
}
