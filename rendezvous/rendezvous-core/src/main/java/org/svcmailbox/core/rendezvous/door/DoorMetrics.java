package org.svcmailbox.core.rendezvous.door;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Family.Kind;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.PrometheusText;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.mailbox.GlobalStats;

/**
 * The rendezvous metrics. Their names are established by other such services, so they are separate
 * from the mailbox metrics. Any thread.
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

  // A histogram needs a family; these two are exported under other names.
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

  /** Counts a request refused for its rate or for its client's number of waiting requests. */
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
    PrometheusText text = new PrometheusText();
    gauge(text, "active_mailboxes", "Mailboxes that exist", stats.mailboxes());
    gauge(text, "total_messages", "Messages that are stored", stats.messages());
    gauge(text, "waiting_requests", "GETs that wait", stats.waiting());
    counter(text, "messages_posted", "POSTs that were answered with 202", posted.sum());
    counter(text, "messages_delivered", "Messages whose response was written", stats.delivered());
    counter(text, "messages_evicted", "Messages that expired", stats.evicted());
    counter(
        text,
        "messages_returned",
        "Messages that came back because their response was not written",
        stats.returned());
    counter(text, "messages_lost", "Messages that remained at the end", stats.lost());
    counter(text, "rate_limit_hits", "Requests over a rate", limited.sum());
    text.family("error_counts", Kind.COUNTER, "Responses with an error");
    errors.forEach((error, count) -> text.sample(Map.of("error", error), count.sum()));
    return text.family(
            "request_latency", Kind.HISTOGRAM, "Seconds of a whole request, a wait included")
        .samples(posts.tags(), posts.read())
        .samples(gets.tags(), gets.read())
        .family(
            "rendezvous_wakeup_seconds",
            Kind.HISTOGRAM,
            "Seconds from a message for a waiting GET until its response was written")
        .samples(wakeups.tags(), wakeups.read())
        .toString();
  }

  private static void gauge(PrometheusText text, String name, String help, long value) {
    text.family(name, Kind.GAUGE, help).sample(Map.of(), value);
  }

  private static void counter(PrometheusText text, String name, String help, long value) {
    text.family(name, Kind.COUNTER, help).sample(Map.of(), value);
  }
}
