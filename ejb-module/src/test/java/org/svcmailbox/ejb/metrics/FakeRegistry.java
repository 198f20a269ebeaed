package org.svcmailbox.ejb.metrics;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.Metric;
import org.eclipse.microprofile.metrics.MetricFilter;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** A registry that, like a server's, adds a tag of its own. */
final class FakeRegistry {
  private final Map<MetricID, Metric> metrics = new ConcurrentHashMap<>();
  final AtomicLong increments = new AtomicLong();

  private final class FakeCounter implements Counter {
    private final AtomicLong count = new AtomicLong();

    @Override
    public void inc() {
      inc(1);
    }

    @Override
    public void inc(long more) {
      increments.incrementAndGet();
      count.addAndGet(more);
    }

    @Override
    public long getCount() {
      return count.get();
    }
  }

  MetricRegistry registry() {
    return (MetricRegistry)
        Proxy.newProxyInstance(
            FakeRegistry.class.getClassLoader(),
            new Class<?>[] {MetricRegistry.class},
            (proxy, method, arguments) -> call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) {
    String signature = method.getName() + method.getParameterCount();
    return switch (signature) {
      case "counter2" ->
          metrics.computeIfAbsent(id(arguments[0], arguments[1]), id -> new FakeCounter());
      case "gauge3" ->
          metrics.computeIfAbsent(id(arguments[0], arguments[2]), id -> gauge(arguments[1]));
      case "remove1" -> metrics.keySet().removeIf(id -> id.getName().equals(arguments[0]));
      case "removeMatching1" -> {
        MetricFilter filter = (MetricFilter) arguments[0];
        yield metrics.entrySet().removeIf(one -> filter.matches(one.getKey(), one.getValue()));
      }
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private static MetricID id(Object metadata, Object tags) {
    Tag[] given = (Tag[]) tags;
    Tag[] all = java.util.Arrays.copyOf(given, given.length + 1);
    all[given.length] = new Tag("mp_app", "mailbox");
    return new MetricID(((Metadata) metadata).getName(), all);
  }

  private static Gauge<Number> gauge(Object supplier) {
    return () -> (Number) ((Supplier<?>) supplier).get();
  }

  /** Everything registered, as {@code name{label=value}}. */
  Map<String, Double> told() {
    Map<String, Double> told = new TreeMap<>();
    metrics.forEach((id, metric) -> told.put(text(id), value(metric)));
    return told;
  }

  private static String text(MetricID id) {
    Map<String, String> own = new TreeMap<>(id.getTags());
    own.remove("mp_app");
    return id.getName() + own;
  }

  private static double value(Metric metric) {
    return metric instanceof Gauge<?> gauge
        ? gauge.getValue().doubleValue()
        : ((Counter) metric).getCount();
  }
}
