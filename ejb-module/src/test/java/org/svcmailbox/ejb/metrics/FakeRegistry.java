package org.svcmailbox.ejb.metrics;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** A registry of counters and of gauges by supplier; any other call fails. */
final class FakeRegistry {
  private final Map<MetricID, Supplier<Number>> metrics = new HashMap<>();
  private final Map<MetricID, Counter> counters = new HashMap<>();

  MetricRegistry registry() {
    return (MetricRegistry)
        Proxy.newProxyInstance(
            FakeRegistry.class.getClassLoader(),
            new Class<?>[] {MetricRegistry.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "counter" -> counter(id(arguments[0], arguments[1]));
                  case "gauge" -> gauge(id(arguments[0], arguments[2]), arguments[1]);
                  case "remove" -> metrics.remove((MetricID) arguments[0]) != null;
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private static MetricID id(Object metadata, Object tags) {
    return new MetricID(((Metadata) metadata).getName(), (Tag[]) tags);
  }

  private Counter counter(MetricID id) {
    Counter counter = counters.computeIfAbsent(id, unknown -> new FakeCounter());
    metrics.put(id, counter::getCount);
    return counter;
  }

  @SuppressWarnings("unchecked")
  private Object gauge(MetricID id, Object value) {
    if (metrics.containsKey(id)) {
      throw new IllegalStateException(id + " is registered already");
    }
    Supplier<Number> supplier = (Supplier<Number>) value;
    metrics.put(id, supplier);
    return (Gauge<Number>) supplier::get;
  }

  /** The values on the server's page now. */
  Map<String, Double> page() {
    Map<String, Double> page = new HashMap<>();
    metrics.forEach((id, value) -> page.put(name(id), value.get().doubleValue()));
    return page;
  }

  private static String name(MetricID id) {
    return id.getTags().isEmpty() ? id.getName() : id.getName() + id.getTags();
  }

  private static final class FakeCounter implements Counter {
    private long count;

    @Override
    public void inc() {
      inc(1);
    }

    @Override
    public void inc(long more) {
      if (more < 0) {
        throw new IllegalArgumentException("A counter never decreases");
      }
      count += more;
    }

    @Override
    public long getCount() {
      return count;
    }
  }
}
