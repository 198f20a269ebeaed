package org.svcmailbox.ejb.metrics;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Readings;

/**
 * Keeps every documented family in a registry of MicroProfile Metrics. A counter grows in each turn
 * by what was counted since the last. Everything else is a gauge by function, each bucket of a
 * histogram too: the registry's own histograms have none below a millisecond. One thread takes
 * turns; gauges are read by any thread.
 */
final class RegistryFeed {
  /** How long gauges share one reading of all metrics, as those of one scrape do. */
  static final Duration FRESH = Duration.ofMillis(100);

  private final Supplier<Readings> readings;
  private final MetricRegistry registry;
  private final LongSupplier nanos;
  private final Set<MetricID> registered = new HashSet<>();

  private volatile Snapshot last;

  private record Snapshot(Map<MetricID, Series> series, long nanos) {}

  /**
   * @param readings reads every metric
   * @param nanos {@link System#nanoTime}
   */
  RegistryFeed(Supplier<Readings> readings, MetricRegistry registry, LongSupplier nanos) {
    this.readings = readings;
    this.registry = registry;
    this.nanos = nanos;
    this.last = read();
  }

  /** Registers what is new, lets counters grow, and removes what is gone. */
  void turn() {
    Map<MetricID, Series> now = read().series();
    registered.removeIf(id -> !now.containsKey(id) && registry.remove(id));
    now.forEach(this::show);
  }

  /** Removes everything. */
  void close() {
    registered.forEach(registry::remove);
    registered.clear();
  }

  private void show(MetricID id, Series series) {
    boolean isNew = registered.add(id);
    if (series.family().kind() == Family.Kind.COUNTER) {
      var counter = registry.counter(metadata(id, series), id.getTagsAsArray());
      counter.inc(Math.max(0, (long) series.value() - counter.getCount()));
    } else if (isNew) {
      registry.gauge(metadata(id, series), () -> now(id), id.getTagsAsArray());
    }
  }

  private static Metadata metadata(MetricID id, Series series) {
    return Metadata.builder()
        .withName(id.getName())
        .withDescription(series.family().help())
        .build();
  }

  private double now(MetricID id) {
    Snapshot snapshot = last;
    if (nanos.getAsLong() - snapshot.nanos() >= FRESH.toNanos()) {
      snapshot = read();
    }
    Series series = snapshot.series().get(id);
    return series == null ? 0 : series.value();
  }

  private Snapshot read() {
    Snapshot snapshot = new Snapshot(Series.of(readings.get()), nanos.getAsLong());
    last = snapshot;
    return snapshot;
  }
}
