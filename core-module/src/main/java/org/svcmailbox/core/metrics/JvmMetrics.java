package org.svcmailbox.core.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.metrics.Family.Kind;

/** The JVM's metrics, named as in MicroProfile Metrics. */
public final class JvmMetrics {
  private static final String SCOPE = "mp_scope";
  private static final String BASE = "base";
  private static final double MILLIS = 1_000;

  private JvmMetrics() {}

  public static String text() {
    PrometheusText text = new PrometheusText();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    gauge(text, "memory_usedHeap_bytes", "Heap in use", heap.getUsed());
    gauge(text, "memory_committedHeap_bytes", "Heap committed by the system", heap.getCommitted());
    gauge(text, "memory_maxHeap_bytes", "Maximum heap", heap.getMax());
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    gauge(text, "thread_count", "Live threads", threads);
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    gauge(text, "cpu_processCpuTime_seconds", "CPU time of the process", cpu.toMillis() / MILLIS);
    text.family("gc_time_seconds", Kind.GAUGE, "Time spent in garbage collection");
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      Map<String, String> labels = new TreeMap<>(Map.of(SCOPE, BASE, "name", collector.getName()));
      text.sample(labels, collector.getCollectionTime() / MILLIS);
    }
    return text.toString();
  }

  private static void gauge(PrometheusText text, String name, String help, Number value) {
    text.family(name, Kind.GAUGE, help).sample(Map.of(SCOPE, BASE), value);
  }
}
