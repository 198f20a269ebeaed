package org.svcmailbox.ejb.metrics;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Readings;

/**
 * Publishes every documented family in a registry of MicroProfile Metrics. In each turn a counter
 * grows by what was counted since the last turn. Everything else is a function gauge, including
 * each bucket of a histogram, because the registry's own histograms have no bucket below a
 * millisecond. One thread takes turns; any thread reads gauges.
 */
final class RegistryFeed {
  /** How long gauges share one reading of all metrics, so that one scrape needs only one. */
  static final Duration FRESH = Duration.ofMillis(100);

  private final Supplier<Readings> readings;
  private final MetricRegistry registry;
  private final LongSupplier nanos;

  /** Takes the new value of each registered series. */
  private final Map<MetricID, DoubleConsumer> registered = new HashMap<>();

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

  /** Registers new series, increments counters, and removes series that are gone. */
  void turn() {
    Map<MetricID, Series> now = read().series();
    remove(id -> !now.containsKey(id));
    now.forEach(
        (id, series) ->
            registered
                .computeIfAbsent(id, added -> register(added, series))
                .accept(series.value()));
  }

  /** Removes everything. */
  void close() {
    remove(id -> true);
  }

  private void remove(Predicate<MetricID> which) {
    registered.keySet().stream().filter(which).forEach(registry::remove);
    registered.keySet().removeIf(which);
  }

  private DoubleConsumer register(MetricID id, Series series) {
    Metadata metadata = metadata(id, series);
    if (series.family().kind() == Family.Kind.COUNTER) {
      Counter counter = registry.counter(metadata, id.getTagsAsArray());
      return value -> counter.inc(Math.max(0, (long) value - counter.getCount()));
    }
    registry.gauge(metadata, () -> now(id), id.getTagsAsArray());
    return value -> {
      // The registry calls a gauge's function.
    };
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
