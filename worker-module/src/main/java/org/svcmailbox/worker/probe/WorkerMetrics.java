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
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.PublishListener;

/**
 * The metrics of a worker, in Prometheus' format. Backlogs are counted on a schedule and not by a
 * scrape. While they cannot be counted they are NaN, and never an old value.
 */
public final class WorkerMetrics {
  private static final Logger LOG = System.getLogger(WorkerMetrics.class.getName());

  /** A count that hangs ends no count: its predecessor is not shown for longer. */
  static final Duration STALE = Duration.ofMinutes(1);

  private static final String ERRORS = "outbox.publish.errors";
  private static final String UNAVAILABLE = "UNAVAILABLE";
  private static final String DATABASE = "DATABASE";

  private record Sample(Backlog outbox, Backlog parked, Backlog inbox, Instant at) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Backlogs backlogs;
  private final InstantSource clock;
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
    gauge("inbox.backlog", "Messages not processed", sample -> sample.inbox().count());
    gauge(
        "inbox.oldest.age.seconds",
        "Age of the oldest message not processed",
        sample -> age(sample.inbox()));
    for (ErrorCode code : ErrorCode.values()) {
      Counter unused = errors(code.name());
    }
    for (String code : List.of(UNAVAILABLE, DATABASE)) {
      Counter unused = errors(code);
    }
    for (Handled result : Handled.values()) {
      Counter unused = handled(result);
    }
    Counter unused = published();
    Counter unusedToo = duplicates();
    Timer unusedTimer = latency();
  }

  private void gauge(String name, String description, ToDoubleFunction<Sample> value) {
    Gauge unused =
        Gauge.builder(name, () -> fresh(value)).description(description).register(registry);
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
      last = new Sample(backlogs.outbox(), backlogs.parked(), backlogs.inbox(), clock.instant());
    } catch (RuntimeException e) {
      last = null;
      LOG.log(Level.DEBUG, "The backlogs cannot be counted", e);
    }
  }

  private Counter published() {
    return Counter.builder("outbox.published").description("Events published").register(registry);
  }

  private Counter errors(String code) {
    return Counter.builder(ERRORS)
        .description("Events parked, topics paused and rounds failed")
        .tag("code", code)
        .register(registry);
  }

  private Counter handled(Handled result) {
    return Counter.builder("inbox.handled")
        .description("Deliveries settled")
        .tag("result", result.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter duplicates() {
    return Counter.builder("inbox.duplicates")
        .description("Copies that were skipped")
        .register(registry);
  }

  private Timer latency() {
    return Timer.builder("handler.latency")
        .description("Time of the calls of handlers")
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofMillis(1))
        .maximumExpectedValue(Duration.ofMinutes(2))
        .register(registry);
  }

  /** Counts what a publisher does. */
  public PublishListener outbox() {
    Counter published = published();
    return new PublishListener() {
      @Override
      public void published(OutboxEventPublished event) {
        published.increment();
      }

      @Override
      public void parked(OutboxEvent event, ErrorCode code) {
        errors(code.name()).increment();
      }

      @Override
      public void paused(String topic, PublishException why) {
        errors(UNAVAILABLE).increment();
      }

      @Override
      public void failed(RuntimeException why) {
        errors(DATABASE).increment();
      }
    };
  }

  /** Counts what consumers do. */
  public InboxListener inbox() {
    Counter duplicates = duplicates();
    Timer latency = latency();
    return new InboxListener() {
      @Override
      public void handled(Handled result, Duration time) {
        WorkerMetrics.this.handled(result).increment();
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
