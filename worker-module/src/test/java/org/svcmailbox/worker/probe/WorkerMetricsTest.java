package org.svcmailbox.worker.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.PublishListener;
import org.svcmailbox.worker.WorkerDocument;

class WorkerMetricsTest {
  private final VirtualClock clock = new VirtualClock();
  private final Instant now = clock.now();
  private @Nullable RuntimeException failure;

  private final Backlogs backlogs =
      new Backlogs() {
        @Override
        public Backlog outbox() {
          return counted(new Backlog(3, now.minusSeconds(90)));
        }

        @Override
        public Backlog parked() {
          return counted(new Backlog(2, now.minusSeconds(80)));
        }

        @Override
        public Backlog inbox() {
          return counted(new Backlog(0, null));
        }
      };

  private final WorkerMetrics metrics = new WorkerMetrics(backlogs, clock::now);

  private Backlog counted(Backlog backlog) {
    if (failure != null) {
      throw failure;
    }
    return backlog;
  }

  /** The value of a sample; its name with its labels. */
  private String value(String sample) {
    String start = sample + " ";
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .collect(Collectors.joining("|"));
  }

  @Test
  void thereAreTheseMetricsAndNoOthersFromTheBeginning() {
    Set<String> names =
        types().stream()
            .map(type -> type.substring(0, type.indexOf(' ')))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        new TreeSet<>(
            Set.of(
                "outbox_backlog",
                "outbox_oldest_age_seconds",
                "outbox_parked",
                "outbox_published_total",
                "outbox_publish_errors_total",
                "inbox_backlog",
                "inbox_oldest_age_seconds",
                "inbox_handled_total",
                "inbox_duplicates_total",
                "handler_latency_seconds",
                "handler_latency_seconds_max")),
        names);
  }

  @Test
  void everyMetricHasARowInTheDocument() {
    Set<String> documented = new TreeSet<>();
    WorkerDocument.rows("Metrics", "name")
        .forEach(row -> documented.add(WorkerDocument.code(row.get(0)) + " " + row.get(1)));
    assertEquals(types(), documented);
  }

  /** Each metric with its kind. */
  private Set<String> types() {
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.substring("# TYPE ".length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void nothingIsKnownOfABacklogBeforeTheFirstCount() {
    assertEquals("NaN", value("outbox_backlog"));
    assertEquals("NaN", value("inbox_oldest_age_seconds"));
  }

  @Test
  void backlogsAreAsTheyWereCountedAndAgesGrow() {
    metrics.sample();
    clock.advance(Duration.ofSeconds(5));
    assertEquals("3.0", value("outbox_backlog"));
    assertEquals("95.0", value("outbox_oldest_age_seconds"));
    assertEquals("2.0", value("outbox_parked"));
    assertEquals("0.0", value("inbox_backlog"));
    assertEquals("0.0", value("inbox_oldest_age_seconds"));
  }

  @Test
  void aDatabaseThatIsAwayLeavesNoOldValue() {
    metrics.sample();
    failure = new OutboxStoreException("away", new IllegalStateException());
    metrics.sample();
    assertEquals("NaN", value("outbox_backlog"));
    assertEquals("NaN", value("outbox_parked"));
    assertEquals("NaN", value("inbox_backlog"));
    failure = null;
    metrics.sample();
    assertEquals("3.0", value("outbox_backlog"));
  }

  @Test
  void aCountThatHangsLeavesNoOldValueForLong() {
    metrics.sample();
    clock.advance(WorkerMetrics.STALE.minusNanos(1));
    assertEquals("3.0", value("outbox_backlog"));
    clock.advance(Duration.ofNanos(1));
    assertEquals("NaN", value("outbox_backlog"));
  }

  @Test
  void whatAPublisherDoesIsCounted() {
    PublishListener listener = metrics.outbox();
    listener.published(
        new OutboxEventPublished(
            MessageId.next(), "paid", new EventSubject("shop.event.paid.v1"), now));
    listener.parked(event(), ErrorCode.NO_ROUTE);
    listener.paused("billing", PublishException.unavailable("away", null, null));
    listener.failed(new IllegalStateException());
    assertEquals("1.0", value("outbox_published_total"));
    assertEquals("1.0", value("outbox_publish_errors_total{code=\"NO_ROUTE\"}"));
    assertEquals("1.0", value("outbox_publish_errors_total{code=\"UNAVAILABLE\"}"));
    assertEquals("1.0", value("outbox_publish_errors_total{code=\"DATABASE\"}"));
    assertEquals("0.0", value("outbox_publish_errors_total{code=\"REFUSED\"}"));
  }

  private static OutboxEvent event() {
    return new OutboxEvent(
        UUID.randomUUID(),
        "order",
        "7",
        "paid",
        1,
        new Payload("{}"),
        Instant.EPOCH,
        null,
        null,
        null,
        0,
        null);
  }

  @Test
  void whatConsumersDoIsCounted() {
    InboxListener listener = metrics.inbox();
    for (Handled result : Handled.values()) {
      listener.handled(result, Duration.ofSeconds(9));
    }
    listener.handled(Handled.DUPLICATE, Duration.ofSeconds(9));
    assertEquals("1.0", value("inbox_handled_total{result=\"processed\"}"));
    assertEquals("1.0", value("inbox_handled_total{result=\"already_processed\"}"));
    assertEquals("1.0", value("inbox_handled_total{result=\"dead\"}"));
    assertEquals("2.0", value("inbox_handled_total{result=\"duplicate\"}"));
    assertEquals("2.0", value("inbox_duplicates_total"));
  }

  @Test
  void latencyIsTheTimeOfTheHandlersCallsAlone() {
    InboxListener listener = metrics.inbox();
    listener.handled(Handled.PROCESSED, Duration.ofSeconds(9));
    assertEquals("0", value("handler_latency_seconds_count"));
    listener.called(Duration.ofMillis(250));
    listener.called(Duration.ofMillis(750));
    assertEquals("2", value("handler_latency_seconds_count"));
    assertEquals("1.0", value("handler_latency_seconds_sum"));
  }
}
