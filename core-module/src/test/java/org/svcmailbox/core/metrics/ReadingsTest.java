package org.svcmailbox.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadingsTest {
  private static MetricSource source(Distribution... distributions) {
    return new MetricSource() {
      @Override
      public List<Metric> metrics() {
        return List.of();
      }

      @Override
      public List<Distribution> distributions() {
        return Arrays.asList(distributions);
      }
    };
  }

  private static String text(Metric... metrics) {
    return Readings.of(List.of(() -> List.of(metrics))).text();
  }

  @Test
  void aSummaryIsThreeSamplesBelowItsHead() {
    Summary summary = new Summary(Family.SCANNER_WAKE_JITTER_MS);
    summary.record(7);
    assertEquals(
        """
        # HELP scanner_wake_jitter_ms %s
        # TYPE scanner_wake_jitter_ms summary
        scanner_wake_jitter_ms{mp_scope="application",quantile="1"} 7.0
        scanner_wake_jitter_ms_sum{mp_scope="application"} 7.0
        scanner_wake_jitter_ms_count{mp_scope="application"} 1.0
        """
            .formatted(Family.SCANNER_WAKE_JITTER_MS.help()),
        Readings.of(List.of(source(summary))).text());
  }

  @Test
  void histogramsOfOneFamilyShareItsHead() {
    Histogram send = new Histogram(Family.REQUEST_LATENCY_SECONDS, "send");
    Histogram ack = new Histogram(Family.REQUEST_LATENCY_SECONDS, "ack");
    send.record(Duration.ofMillis(3).toNanos());
    List<String> all =
        Readings.of(List.of(source(send, new Histogram(Family.ACK_LATENCY_SECONDS), ack)))
            .text()
            .lines()
            .toList();
    assertEquals(4, all.stream().filter(line -> line.startsWith("#")).count());
    assertEquals(4 + 3 * 17, all.size());
    List<String> lines = all.subList(2 + 17, all.size());
    assertEquals("# TYPE request_latency_seconds histogram", lines.get(1));
    String prefix = "request_latency_seconds_bucket{mp_scope=\"application\",op=\"send\",le=";
    assertEquals(prefix + "\"0.0005\"} 0.0", lines.get(2));
    assertEquals(prefix + "\"0.005\"} 1.0", lines.get(5));
    assertEquals(prefix + "\"+Inf\"} 1.0", lines.get(16));
    assertEquals(
        "request_latency_seconds_sum{mp_scope=\"application\",op=\"send\"} 0.003", lines.get(17));
    assertEquals(
        "request_latency_seconds_count{mp_scope=\"application\",op=\"send\"} 1.0", lines.get(18));
  }

  @Test
  void nothingIsTextAboutNothing() {
    assertEquals("", Readings.of(List.of()).text());
  }

  @Test
  void labelsAreInTheOrderOfTheirNames() {
    assertEquals(
        """
        # HELP queue_depth %s
        # TYPE queue_depth gauge
        queue_depth{mp_scope="application",shard="3",topic="orders"} 2.0
        """
            .formatted(Family.QUEUE_DEPTH.help()),
        text(Family.QUEUE_DEPTH.of(() -> 2, "orders", "3")));
  }

  @Test
  void aMetricIsReadWhenTheTextIsWritten() {
    AtomicLong count = new AtomicLong();
    Metric rejected = Family.REJECTED_TOTAL.of(count::get, "schema");
    assertTrue(text(rejected).endsWith("{mp_scope=\"application\",reason=\"schema\"} 0.0\n"));
    count.set(3);
    assertTrue(text(rejected).endsWith("{mp_scope=\"application\",reason=\"schema\"} 3.0\n"));
  }

  @Test
  void equalMetricsAreAddedUpUnderOneHead() {
    Metric one = Family.REJECTED_TOTAL.of(() -> 4, "schema");
    Metric other = Family.REJECTED_TOTAL.of(() -> 1, "missing");
    String text =
        Readings.of(
                List.of(
                    () -> List.of(one, other),
                    () -> List.of(Family.REJECTED_TOTAL.of(() -> 2, "schema"))))
            .text();
    assertEquals(
        """
        # HELP rejected_total %s
        # TYPE rejected_total counter
        rejected_total{mp_scope="application",reason="schema"} 6.0
        rejected_total{mp_scope="application",reason="missing"} 1.0
        """
            .formatted(Family.REJECTED_TOTAL.help()),
        text);
  }

  @Test
  void theJvmTellsOfMemoryThreadsTimeAndCollections() {
    String text = JvmMetrics.text();
    for (String name :
        List.of(
            "memory_usedHeap_bytes\\{mp_scope=\"base\"}",
            "memory_committedHeap_bytes\\{mp_scope=\"base\"}",
            "memory_maxHeap_bytes\\{mp_scope=\"base\"}",
            "thread_count\\{mp_scope=\"base\"}",
            "cpu_processCpuTime_seconds\\{mp_scope=\"base\"}",
            "gc_time_seconds\\{mp_scope=\"base\",name=\"[^\"]+\"}")) {
      assertTrue(
          Pattern.compile("^" + name + " [0-9.E]+$", Pattern.MULTILINE).matcher(text).find(),
          () -> name + " is not in " + text);
    }
  }
}
