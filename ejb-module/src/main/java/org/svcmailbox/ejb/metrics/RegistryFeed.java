package org.svcmailbox.ejb.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/**
 * Keeps a MicroProfile registry in step with metrics counted elsewhere. A registry's counter can
 * only be incremented, so it gets the difference since the last refresh. One caller at a time.
 */
final class RegistryFeed {
  private final MetricRegistry registry;
  private final Map<Id, Fed> fed = new LinkedHashMap<>();

  /** The registry's own identity may have the server's tags too. */
  private record Id(Family family, Map<String, String> tags) {
    Tag[] asTags() {
      return tags.entrySet().stream()
          .map(tag -> new Tag(tag.getKey(), tag.getValue()))
          .toArray(Tag[]::new);
    }

    Metadata metadata() {
      // No unit: it would become part of the exported name.
      return Metadata.builder().withName(family.text()).withDescription(family.help()).build();
    }
  }

  private interface Fed {
    void now(DoubleSupplier value);
  }

  /** Reads whatever metric currently stands for it. */
  private static final class FedGauge implements Fed {
    private volatile DoubleSupplier current = () -> 0;

    @Override
    public void now(DoubleSupplier value) {
      current = value;
    }

    double read() {
      return current.getAsDouble();
    }
  }

  /** Knows how much of its count the registry has. */
  private static final class FedCounter implements Fed {
    private final Counter counter;
    private long passedOn;

    FedCounter(Counter counter) {
      this.counter = counter;
    }

    @Override
    public void now(DoubleSupplier value) {
      long count = (long) value.getAsDouble();
      // Less than before: another counter took over, starting at 0.
      long more = count >= passedOn ? count - passedOn : count;
      passedOn = count;
      if (more > 0) {
        counter.inc(more);
      }
    }
  }

  RegistryFeed(MetricRegistry registry) {
    this.registry = registry;
    // A registry may outlive the application and hold counts of an earlier deployment.
    clear();
  }

  /**
   * Registers new metrics, removes missing ones and increments counters. Metrics of equal identity
   * are added up.
   */
  synchronized void refresh(List<Metric> metrics) {
    Map<Id, DoubleSupplier> now = new LinkedHashMap<>();
    for (Metric metric : metrics) {
      now.merge(
          new Id(metric.family(), metric.tags()),
          metric.value(),
          (one, other) -> () -> one.getAsDouble() + other.getAsDouble());
    }
    removeAllBut(now);
    now.forEach((id, value) -> fed.computeIfAbsent(id, this::register).now(value));
  }

  synchronized void close() {
    clear();
  }

  private void clear() {
    for (Family family : Family.values()) {
      registry.remove(family.text());
    }
    fed.clear();
  }

  private Fed register(Id id) {
    if (id.family().kind() == Family.Kind.COUNTER) {
      return new FedCounter(registry.counter(id.metadata(), id.asTags()));
    }
    FedGauge gauge = new FedGauge();
    registry.gauge(id.metadata(), gauge::read, id.asTags());
    return gauge;
  }

  private void removeAllBut(Map<Id, DoubleSupplier> now) {
    fed.keySet()
        .removeIf(
            id -> {
              boolean isGone = !now.containsKey(id);
              if (isGone) {
                remove(id);
              }
              return isGone;
            });
  }

  /** Matches our tags only: the server may have added some. */
  private void remove(Id gone) {
    registry.removeMatching(
        (id, metric) ->
            id.getName().equals(gone.family().text())
                && id.getTags().entrySet().containsAll(gone.tags().entrySet()));
  }
}
