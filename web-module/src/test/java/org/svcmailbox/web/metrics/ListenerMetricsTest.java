package org.svcmailbox.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletContext;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListenerMetricsTest {
  private @Nullable Object attribute;
  private final ListenerMetrics metrics = new ListenerMetrics(context(), /* connections= */ 8);

  private ServletContext context() {
    return (ServletContext)
        Proxy.newProxyInstance(
            ServletContext.class.getClassLoader(),
            new Class<?>[] {ServletContext.class},
            (proxy, method, arguments) ->
                ListenerMetrics.ATTRIBUTE.equals(arguments[0]) ? attribute : null);
  }

  private Map<String, Double> told() {
    Map<String, Double> told = new TreeMap<>();
    metrics
        .metrics()
        .forEach(
            metric ->
                told.merge(metric.family().text() + metric.tags(), metric.now(), Double::sum));
    return told;
  }

  @Test
  void aServerWithoutThatPartTellsNothing() {
    assertEquals(Map.of(), told());
    attribute = "something else";
    assertEquals(Map.of(), told());
  }

  @Test
  void everythingItCountsIsTold() {
    Map<String, LongSupplier> counts = new HashMap<>();
    counts.put("connections", () -> 3);
    counts.put("body_bytes", () -> 4);
    counts.put("answer_bytes", () -> 11);
    counts.put("capacity.answer_bytes", () -> 13);
    counts.put("rejected.max_conns", () -> 5);
    counts.put("rejected.body_bytes", () -> 6);
    counts.put("rejected.max_streams", () -> 14);
    counts.put("rejected.address_conns", () -> 18);
    counts.put("rejected.framing", () -> 15);
    counts.put("rejected.head", () -> 16);
    counts.put("rejected.http2_flood", () -> 17);
    counts.put("rejected.answer_bytes", () -> 12);
    counts.put("io_timeouts.read", () -> 7);
    counts.put("io_timeouts.write", () -> 8);
    counts.put("io_timeouts.idle", () -> 9);
    attribute = counts;
    assertEquals(
        Map.ofEntries(
            Map.entry("bound_used{bound=max_conns}", 3.0),
            Map.entry("bound_capacity{bound=max_conns}", 8.0),
            Map.entry("bound_used{bound=body_bytes}", 4.0),
            Map.entry("bound_used{bound=answer_bytes}", 11.0),
            Map.entry("bound_capacity{bound=answer_bytes}", 13.0),
            Map.entry("rejected_total{reason=max_conns}", 5.0),
            Map.entry("rejected_total{reason=body_bytes}", 6.0),
            Map.entry("rejected_total{reason=answer_bytes}", 12.0),
            Map.entry("rejected_total{reason=max_streams}", 14.0),
            Map.entry("rejected_total{reason=framing}", 15.0),
            Map.entry("rejected_total{reason=head}", 16.0),
            Map.entry("rejected_total{reason=http2_flood}", 17.0),
            Map.entry("rejected_total{reason=address_conns}", 18.0),
            Map.entry("busy_rejections_total{endpoint=listener}", 43.0),
            Map.entry("io_timeouts_total{op=read}", 7.0),
            Map.entry("io_timeouts_total{op=write}", 8.0),
            Map.entry("io_timeouts_total{op=idle}", 9.0)),
        told());
  }

  @Test
  void aPartThatCountsLessTellsLess() {
    attribute = Map.of("connections", (LongSupplier) () -> 3, "io_timeouts.read", "nonsense");
    assertEquals(
        Map.of("bound_used{bound=max_conns}", 3.0, "bound_capacity{bound=max_conns}", 8.0), told());
  }
}
