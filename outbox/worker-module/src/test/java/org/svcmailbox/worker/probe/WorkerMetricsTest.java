package org.svcmailbox.worker.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.admin.InboxBacklog;
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
        public List<InboxBacklog> inboxes() {
          Backlog unused = counted(Backlog.EMPTY);
          return List.of(
              new InboxBacklog(
                  "billing", new Backlog(4, now.minusSeconds(70)), new Backlog(5, now)));
        }
      };

  private final WorkerMetrics metrics = new WorkerMetrics(backlogs, clock::now);
  private boolean isPaused;

  private final PublishListener outbox =
      metrics.outbox(
          subject -> subject.isDeadLetter() ? List.of() : List.of("shipping", "billing"));
  private final InboxListener inbox = metrics.inbox("shipping");

  {
    metrics.watch("shipping", () -> isPaused);
  }

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
                "inbox_dead",
                "inbox_oldest_age_seconds",
                "inbox_handled_total",
                "inbox_duplicates_total",
                "inbox_paused",
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
    assertEquals("NaN", value("inbox_oldest_age_seconds{consumer=\"shipping\"}"));
  }

  @Test
  void backlogsAreAsTheyWereCountedAndAgesGrow() {
    metrics.sample();
    clock.advance(Duration.ofSeconds(5));
    assertEquals("3.0", value("outbox_backlog"));
    assertEquals("95.0", value("outbox_oldest_age_seconds"));
    assertEquals("2.0", value("outbox_parked"));
    assertEquals("0.0", value("inbox_backlog{consumer=\"shipping\"}"));
    assertEquals("0.0", value("inbox_oldest_age_seconds{consumer=\"shipping\"}"));
    assertEquals("0.0", value("inbox_dead{consumer=\"shipping\"}"));
    // Another worker runs it on the same database.
    assertEquals("4.0", value("inbox_backlog{consumer=\"billing\"}"));
    assertEquals("75.0", value("inbox_oldest_age_seconds{consumer=\"billing\"}"));
    assertEquals("5.0", value("inbox_dead{consumer=\"billing\"}"));
  }

  @Test
  void aDatabaseThatIsAwayLeavesNoOldValue() {
    metrics.sample();
    failure = new OutboxStoreException("away", new IllegalStateException());
    metrics.sample();
    assertEquals("NaN", value("outbox_backlog"));
    assertEquals("NaN", value("outbox_parked"));
    assertEquals("NaN", value("inbox_backlog{consumer=\"shipping\"}"));
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
    outbox.published(
        new OutboxEventPublished(
            MessageId.next(), "paid", new EventSubject("shop.event.paid.v1"), now));
    outbox.published(
        new OutboxEventPublished(
            MessageId.next(), "dead", new EventSubject("shop.dlq.shop.event.paid.v1"), now));
    outbox.parked(event(), ErrorCode.NO_ROUTE);
    outbox.paused("billing", PublishException.unavailable("away", null, null));
    outbox.failed(new IllegalStateException());
    assertEquals("1.0", value("outbox_published_total{topic=\"shipping\"}"));
    assertEquals("1.0", value("outbox_published_total{topic=\"billing\"}"));
    assertEquals("1.0", value("outbox_published_total{topic=\"\"}"));
    assertEquals("1.0", errors("NO_ROUTE", ""));
    assertEquals("1.0", errors("UNAVAILABLE", "billing"));
    assertEquals("0.0", errors("UNAVAILABLE", ""));
    assertEquals("1.0", errors("DATABASE", ""));
    assertEquals("0.0", errors("REFUSED", ""));
  }

  private String errors(String code, String topic) {
    return value("outbox_publish_errors_total{code=\"%s\",topic=\"%s\"}".formatted(code, topic));
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
    InboxListener billing = metrics.inbox("billing");
    for (Handled result : Handled.values()) {
      inbox.handled(result, Duration.ofSeconds(9));
    }
    inbox.handled(Handled.DUPLICATE, Duration.ofSeconds(9));
    billing.handled(Handled.DEAD, Duration.ofSeconds(9));
    assertEquals("1.0", handled("shipping", "processed"));
    assertEquals("1.0", handled("shipping", "already_processed"));
    assertEquals("1.0", handled("shipping", "dead"));
    assertEquals("2.0", handled("shipping", "duplicate"));
    assertEquals("1.0", handled("billing", "dead"));
    assertEquals("0.0", handled("billing", "processed"));
    assertEquals("2.0", value("inbox_duplicates_total{consumer=\"shipping\"}"));
    assertEquals("0.0", value("inbox_duplicates_total{consumer=\"billing\"}"));
  }

  private String handled(String consumer, String result) {
    return value("inbox_handled_total{consumer=\"%s\",result=\"%s\"}".formatted(consumer, result));
  }

  @Test
  void latencyIsTheTimeOfTheHandlersCallsAlone() {
    inbox.handled(Handled.PROCESSED, Duration.ofSeconds(9));
    assertEquals("0", value("handler_latency_seconds_count{consumer=\"shipping\"}"));
    inbox.called(Duration.ofMillis(250));
    inbox.called(Duration.ofMillis(750));
    assertEquals("2", value("handler_latency_seconds_count{consumer=\"shipping\"}"));
    assertEquals("1.0", value("handler_latency_seconds_sum{consumer=\"shipping\"}"));
  }

  @Test
  void aPauseIsShown() {
    assertEquals("0.0", value("inbox_paused{consumer=\"shipping\"}"));
    isPaused = true;
    assertEquals("1.0", value("inbox_paused{consumer=\"shipping\"}"));
  }
}
