package org.svcmailbox.worker.probe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.admin.InboxBacklog;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.PublishListener;
import org.svcmailbox.outbox.route.Routes;

/**
 * The metrics of a worker, in Prometheus' format. Backlogs are counted on a schedule and not by a
 * scrape. While they cannot be counted, their value is NaN and never an outdated one.
 */
public final class WorkerMetrics {
  private static final Logger LOG = System.getLogger(WorkerMetrics.class.getName());

  /** How long a count is shown if the next one hangs. */
  static final Duration STALE = Duration.ofMinutes(1);

  private static final String ERRORS = "outbox.publish.errors";
  private static final String UNAVAILABLE = "UNAVAILABLE";
  private static final String DATABASE = "DATABASE";
  private static final String CONSUMER = "consumer";
  private static final String TOPIC = "topic";

  /** Prometheus treats an empty label like a missing one. */
  private static final String NO_TOPIC = "";

  private record Sample(
      Backlog outbox, Backlog parked, Map<String, InboxBacklog> inboxes, Instant at) {
    InboxBacklog inbox(String consumer) {
      return inboxes.getOrDefault(
          consumer, new InboxBacklog(consumer, Backlog.EMPTY, Backlog.EMPTY));
    }
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Backlogs backlogs;
  private final InstantSource clock;
  private final Set<String> consumers = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Sample last;

  public WorkerMetrics(Backlogs backlogs) {
    this(backlogs, InstantSource.system());
  }

  WorkerMetrics(Backlogs backlogs, InstantSource clock) {
    this.backlogs = backlogs;
    this.clock = clock;
    gauge("outbox.backlog", "Events not published", sample -> sample.outbox().count());
    gauge(
        "outbox.oldest.age.seconds",
        "Age of the oldest event not published",
        sample -> age(sample.outbox()));
    gauge("outbox.parked", "Events that wait for an operator", sample -> sample.parked().count());
    for (ErrorCode code : ErrorCode.values()) {
      Counter unused = errors(code.name(), NO_TOPIC);
    }
    for (String code : List.of(UNAVAILABLE, DATABASE)) {
      Counter unused = errors(code, NO_TOPIC);
    }
    Counter unused = published(NO_TOPIC);
  }

  private void gauge(String name, String description, ToDoubleFunction<Sample> value) {
    Gauge unused =
        Gauge.builder(name, () -> fresh(value)).description(description).register(registry);
  }

  /** Adds the backlog of a consumer, which this worker or another one on the same database runs. */
  private void addConsumer(String consumer) {
    if (!consumers.add(consumer)) {
      return;
    }
    gauge(
        "inbox.backlog",
        "Messages that wait to be processed",
        consumer,
        inbox -> inbox.waiting().count());
    gauge(
        "inbox.oldest.age.seconds",
        "Age of the oldest message that waits",
        consumer,
        inbox -> age(inbox.waiting()));
    gauge(
        "inbox.dead", "Dead letters not processed since", consumer, inbox -> inbox.dead().count());
  }

  private void gauge(
      String name, String description, String consumer, ToDoubleFunction<InboxBacklog> value) {
    Gauge unused =
        Gauge.builder(name, () -> fresh(sample -> value.applyAsDouble(sample.inbox(consumer))))
            .description(description)
            .tag(CONSUMER, consumer)
            .register(registry);
  }

  /** Registers whether a consumer is paused. */
  public void watch(String consumer, BooleanSupplier isPaused) {
    Gauge unused =
        Gauge.builder("inbox.paused", () -> isPaused.getAsBoolean() ? 1 : 0)
            .description("1 while all messages fail and one at a time is tried")
            .tag(CONSUMER, consumer)
            .register(registry);
  }

  private double fresh(ToDoubleFunction<Sample> value) {
    Sample sample = last;
    boolean isFresh = sample != null && sample.at().plus(STALE).isAfter(clock.instant());
    return isFresh ? value.applyAsDouble(sample) : Double.NaN;
  }

  private double age(Backlog backlog) {
    Instant oldest = backlog.oldestAt();
    return oldest == null
        ? 0
        : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1e3);
  }

  /** Counts the backlogs. Called on a schedule, which an exception would end. */
  public void sample() {
    try {
      Map<String, InboxBacklog> inboxes =
          backlogs.inboxes().stream()
              .collect(Collectors.toMap(InboxBacklog::consumer, Function.identity()));
      inboxes.keySet().forEach(this::addConsumer);
      last = new Sample(backlogs.outbox(), backlogs.parked(), inboxes, clock.instant());
    } catch (RuntimeException e) {
      last = null;
      LOG.log(Level.DEBUG, "The backlogs cannot be counted", e);
    }
  }

  private Counter published(String topic) {
    return Counter.builder("outbox.published")
        .description("Events published, once for each of their topics")
        .tag(TOPIC, topic)
        .register(registry);
  }

  private Counter errors(String code, String topic) {
    return Counter.builder(ERRORS)
        .description("Events parked, topics paused and rounds failed")
        .tag("code", code)
        .tag(TOPIC, topic)
        .register(registry);
  }

  private Counter handled(String consumer, Handled result) {
    return Counter.builder("inbox.handled")
        .description("Deliveries settled")
        .tag(CONSUMER, consumer)
        .tag("result", result.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter duplicates(String consumer) {
    return Counter.builder("inbox.duplicates")
        .description("Copies that were skipped")
        .tag(CONSUMER, consumer)
        .register(registry);
  }

  private Timer latency(String consumer) {
    return Timer.builder("handler.latency")
        .description("Time of the calls of handlers")
        .tag(CONSUMER, consumer)
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofMillis(1))
        .maximumExpectedValue(Duration.ofMinutes(2))
        .register(registry);
  }

  /**
   * Counts the work of a publisher.
   *
   * @param routes the publisher's routes
   */
  public PublishListener outbox(Routes routes) {
    Map<String, Counter> counters = new ConcurrentHashMap<>();
    Function<String, Counter> known = this::published;
    return new PublishListener() {
      @Override
      public void published(OutboxEventPublished event) {
        List<String> topics = routes.topics(event.subject());
        (topics.isEmpty() ? List.of(NO_TOPIC) : topics)
            .forEach(topic -> counters.computeIfAbsent(topic, known).increment());
      }

      @Override
      public void parked(OutboxEvent event, ErrorCode code) {
        errors(code.name(), NO_TOPIC).increment();
      }

      @Override
      public void paused(String topic, PublishException why) {
        errors(UNAVAILABLE, topic).increment();
      }

      @Override
      public void failed(RuntimeException why) {
        errors(DATABASE, NO_TOPIC).increment();
      }
    };
  }

  /** Counts the work of a consumer. */
  public InboxListener inbox(String consumer) {
    addConsumer(consumer);
    for (Handled result : Handled.values()) {
      Counter unused = handled(consumer, result);
    }
    Counter duplicates = duplicates(consumer);
    Timer latency = latency(consumer);
    return new InboxListener() {
      @Override
      public void handled(Handled result, Duration time) {
        WorkerMetrics.this.handled(consumer, result).increment();
        if (result == Handled.DUPLICATE) {
          duplicates.increment();
        }
      }

      @Override
      public void called(Duration time) {
        latency.record(time);
      }
    };
  }

  /** All metrics as text. */
  public String scrape() {
    return registry.scrape();
  }
}
