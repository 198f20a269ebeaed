package org.svcmailbox.web.metrics;

import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/**
 * The listener's counters. The Undertow extension leaves a map of {@link LongSupplier}s in a
 * context attribute; without it, or for missing entries, there are no metrics.
 */
final class ListenerMetrics implements MetricSource {
  static final String ATTRIBUTE = "org.svcmailbox.intake";

  private static final String MAX_CONNS = "max_conns";
  private static final String BODY_BYTES = "body_bytes";
  private static final String ANSWER_BYTES = "answer_bytes";

  /** The endpoint label of requests that the listener itself refused. */
  private static final String LISTENER = "listener";

  /** Maps the extension's keys to metrics; several keys may share a family. */
  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("connections", Family.BOUND_USED, MAX_CONNS),
          new Entry(BODY_BYTES, Family.BOUND_USED, BODY_BYTES),
          new Entry(ANSWER_BYTES, Family.BOUND_USED, ANSWER_BYTES),
          new Entry("capacity.answer_bytes", Family.BOUND_CAPACITY, ANSWER_BYTES),
          new Entry("rejected.max_conns", Family.REJECTED_TOTAL, MAX_CONNS),
          new Entry("rejected.body_bytes", Family.REJECTED_TOTAL, BODY_BYTES),
          new Entry("rejected.address_conns", Family.REJECTED_TOTAL, "address_conns"),
          new Entry("rejected.address_conns", Family.BUSY_REJECTIONS_TOTAL, LISTENER),
          new Entry("rejected.max_streams", Family.REJECTED_TOTAL, "max_streams"),
          new Entry("rejected.framing", Family.REJECTED_TOTAL, "framing"),
          new Entry("rejected.head", Family.REJECTED_TOTAL, "head"),
          new Entry("rejected.http2_flood", Family.REJECTED_TOTAL, "http2_flood"),
          new Entry("rejected.max_streams", Family.BUSY_REJECTIONS_TOTAL, LISTENER),
          new Entry("rejected.max_conns", Family.BUSY_REJECTIONS_TOTAL, LISTENER),
          new Entry("rejected.body_bytes", Family.BUSY_REJECTIONS_TOTAL, LISTENER),
          new Entry("rejected.answer_bytes", Family.REJECTED_TOTAL, ANSWER_BYTES),
          new Entry("io_timeouts.read", Family.IO_TIMEOUTS_TOTAL, "read"),
          new Entry("io_timeouts.write", Family.IO_TIMEOUTS_TOTAL, "write"),
          new Entry("io_timeouts.idle", Family.IO_TIMEOUTS_TOTAL, "idle"));

  private final ServletContext context;
  private final int connections;

  private record Entry(String key, Family family, String label) {}

  /**
   * @param connections the connection limit
   */
  ListenerMetrics(ServletContext context, int connections) {
    this.context = context;
    this.connections = connections;
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    if (context.getAttribute(ATTRIBUTE) instanceof Map<?, ?> counts) {
      for (Entry entry : ENTRIES) {
        if (counts.get(entry.key()) instanceof LongSupplier count) {
          metrics.add(entry.family().of(count, entry.label()));
        }
      }
      metrics.add(Family.BOUND_CAPACITY.of(() -> connections, MAX_CONNS));
    }
    return metrics;
  }
}
