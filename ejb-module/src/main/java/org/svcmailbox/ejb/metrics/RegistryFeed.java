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
 * Keeps a MicroProfile registry in step with metrics that are counted elsewhere. A gauge is a
 * function of the registry's; a counter, which MicroProfile knows only as something to increment,
 * is given the difference since the last time. One caller at a time, and each difference once.
 */
final class RegistryFeed {
  private final MetricRegistry registry;
  private final Map<Id, Fed> fed = new LinkedHashMap<>();

  /** Which metric; the registry's own identity may have tags of the server's besides. */
  private record Id(Family family, Map<String, String> tags) {
    Tag[] asTags() {
      return tags.entrySet().stream()
          .map(tag -> new Tag(tag.getKey(), tag.getValue()))
          .toArray(Tag[]::new);
    }

    Metadata metadata() {
      // No unit: it would become a part of the exported name.
      return Metadata.builder().withName(family.text()).withDescription(family.help()).build();
    }
  }

  /** Something that is registered. */
  private interface Fed {
    void now(DoubleSupplier value);
  }

  /** A gauge reads whatever stands for it since the last time. */
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

  /** A counter that knows how much of its count the registry has. */
  private static final class FedCounter implements Fed {
    private final Counter counter;
    private long passedOn;

    FedCounter(Counter counter) {
      this.counter = counter;
    }

    @Override
    public void now(DoubleSupplier value) {
      long count = (long) value.getAsDouble();
      // Less than before: somebody else counts now, and began at 0.
      long more = count >= passedOn ? count - passedOn : count;
      passedOn = count;
      if (more > 0) {
        counter.inc(more);
      }
    }
  }

  RegistryFeed(MetricRegistry registry) {
    this.registry = registry;
    // A registry may outlive the application; what an earlier deployment counted is over.
    clear();
  }

  /**
   * Brings the registry up to date: what is new is registered, what is gone is removed, and
   * counters get their differences. What comes more than once counts together.
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

  /** Takes everything out of the registry again. */
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

  /** By what it has of ours: the server may have added tags. */
  private void remove(Id gone) {
    registry.removeMatching(
        (id, metric) ->
            id.getName().equals(gone.family().text())
                && id.getTags().entrySet().containsAll(gone.tags().entrySet()));
  }
}
