package org.svcmailbox.core.rendezvous.door;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Sample;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.mailbox.GlobalStats;

/**
 * The rendezvous metrics in Prometheus' text format 0.0.4. Their names are established by other
 * such services, so they are separate from the mailbox metrics. Any thread.
 */
final class DoorMetrics {
  private static final int ACCEPTED = 202;
  private static final int FIRST_ERROR = 400;
  private static final String OTHER = "other";

  private static final Map<Integer, String> ERRORS =
      Map.ofEntries(
          Map.entry(400, "bad_request"),
          Map.entry(401, "unauthorized"),
          Map.entry(403, "forbidden"),
          Map.entry(404, "not_found"),
          Map.entry(405, "method_not_allowed"),
          Map.entry(408, "request_timeout"),
          Map.entry(413, "message_too_large"),
          Map.entry(414, "uri_too_long"),
          Map.entry(429, "rate_limited"),
          Map.entry(503, "service_unavailable"),
          Map.entry(507, "queue_full"));

  private final Map<String, LongAdder> errors = new LinkedHashMap<>();
  private final LongAdder posted = new LongAdder();
  private final LongAdder limited = new LongAdder();

  // A histogram needs a family; these two are exported under names of their own.
  private final Histogram posts = new Histogram(Family.REQUEST_LATENCY_SECONDS, "post");
  private final Histogram gets = new Histogram(Family.REQUEST_LATENCY_SECONDS, "get");
  private final Histogram wakeups = new Histogram(Family.DEQUEUE_LATENCY_SECONDS);

  DoorMetrics() {
    ERRORS.values().stream().sorted().forEach(error -> errors.put(error, new LongAdder()));
    errors.put(OTHER, new LongAdder());
  }

  /** Records the time from a message's arrival until a waiting GET was written. */
  void wokeUp(long nanos) {
    wakeups.record(nanos);
  }

  /** Counts a request refused for its rate or its client's number of waiters. */
  void limited() {
    limited.increment();
  }

  void answered(Right right, int status, Duration took) {
    (right == Right.POST ? posts : gets).record(took.toNanos());
    if (right == Right.POST && status == ACCEPTED) {
      posted.increment();
    }
    if (status >= FIRST_ERROR) {
      LongAdder count = errors.get(ERRORS.getOrDefault(status, OTHER));
      if (count != null) {
        count.increment();
      }
    }
  }

  String text(GlobalStats stats) {
    StringBuilder text = new StringBuilder();
    number(text, "active_mailboxes", "gauge", "Mailboxes that exist", stats.mailboxes());
    number(text, "total_messages", "gauge", "Messages that are stored", stats.messages());
    number(text, "waiting_requests", "gauge", "GETs that wait", stats.waiting());
    number(text, "messages_posted", "counter", "POSTs that were answered with 202", posted.sum());
    number(
        text,
        "messages_delivered",
        "counter",
        "Messages whose response was written",
        stats.delivered());
    number(text, "messages_evicted", "counter", "Messages that expired", stats.evicted());
    number(
        text,
        "messages_returned",
        "counter",
        "Messages that came back because their response was not written",
        stats.returned());
    number(text, "messages_lost", "counter", "Messages that remained at the end", stats.lost());
    number(text, "rate_limit_hits", "counter", "Requests over a rate", limited.sum());
    head(text, "error_counts", "counter", "Responses with an error");
    errors.forEach((error, count) -> line(text, "error_counts", "error", error, count.sum()));
    head(text, "request_latency", "histogram", "Seconds of a whole request, a wait included");
    samples(text, "request_latency", "op=\"post\"", posts);
    samples(text, "request_latency", "op=\"get\"", gets);
    head(
        text,
        "rendezvous_wakeup_seconds",
        "histogram",
        "Seconds from a message for a waiting GET until its response was written");
    samples(text, "rendezvous_wakeup_seconds", "", wakeups);
    return text.toString();
  }

  private static void head(StringBuilder text, String name, String kind, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
  }

  private static void number(
      StringBuilder text, String name, String kind, String help, long value) {
    head(text, name, kind, help);
    text.append(name).append(' ').append(value).append('\n');
  }

  private static void line(
      StringBuilder text, String name, String label, String labelValue, long value) {
    text.append(name).append('{').append(label).append("=\"").append(labelValue).append("\"} ");
    text.append(value).append('\n');
  }

  private static void samples(StringBuilder text, String name, String tag, Histogram histogram) {
    for (Sample sample : histogram.read()) {
      String bound =
          sample.label().isEmpty() ? "" : sample.label() + "=\"" + sample.labelValue() + "\"";
      String labels = tag.isEmpty() || bound.isEmpty() ? tag + bound : tag + "," + bound;
      text.append(name).append(sample.suffix());
      text.append(labels.isEmpty() ? "" : "{" + labels + "}");
      text.append(' ').append(sample.value()).append('\n');
    }
  }
}
