package org.svcmailbox.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Summary;

class DistributionTextTest {
  @Test
  void aSummaryIsThreeSamplesBelowItsHead() {
    Summary summary = new Summary(Family.SCANNER_WAKE_JITTER_MS);
    summary.record(7);
    assertEquals(
        """
        # HELP scanner_wake_jitter_ms How late the end of a lease that ran out was acted upon
        # TYPE scanner_wake_jitter_ms summary
        scanner_wake_jitter_ms{mp_scope="application",quantile="1",} 7.0
        scanner_wake_jitter_ms_sum{mp_scope="application",} 7.0
        scanner_wake_jitter_ms_count{mp_scope="application",} 1.0
        """,
        DistributionText.of(List.of(summary)));
  }

  @Test
  void histogramsOfOneFamilyShareItsHead() {
    Histogram send = new Histogram(Family.REQUEST_LATENCY_SECONDS, "send");
    Histogram ack = new Histogram(Family.REQUEST_LATENCY_SECONDS, "ack");
    send.record(Duration.ofMillis(3).toNanos());
    List<String> lines =
        DistributionText.of(List.of(send, new Histogram(Family.ACK_LATENCY_SECONDS), ack))
            .lines()
            .toList();
    assertEquals(4, lines.stream().filter(line -> line.startsWith("#")).count());
    assertEquals("# TYPE request_latency_seconds histogram", lines.get(1));
    String prefix = "request_latency_seconds_bucket{mp_scope=\"application\",op=\"send\",le=";
    assertEquals(prefix + "\"0.0005\",} 0.0", lines.get(2));
    assertEquals(prefix + "\"0.005\",} 1.0", lines.get(5));
    assertEquals(prefix + "\"+Inf\",} 1.0", lines.get(16));
    assertEquals(
        "request_latency_seconds_sum{mp_scope=\"application\",op=\"send\",} 0.003", lines.get(17));
    assertEquals(
        "request_latency_seconds_count{mp_scope=\"application\",op=\"send\",} 1.0", lines.get(18));
    assertEquals(4 + 3 * 17, lines.size());
  }

  @Test
  void nothingIsTextAboutNothing() {
    assertEquals("", DistributionText.of(List.of()));
  }
}
