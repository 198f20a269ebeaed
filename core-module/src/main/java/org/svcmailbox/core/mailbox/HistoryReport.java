package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.FlowCounts;
import org.svcmailbox.core.bounds.HeldMessages;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryPoints;
import org.svcmailbox.core.history.HistoryService;
import org.svcmailbox.core.history.HistoryStore;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.HistoryStore.Step;
import org.svcmailbox.core.history.Look;
import org.svcmailbox.core.history.MinuteQueue;
import org.svcmailbox.core.history.MinuteRows;
import org.svcmailbox.core.history.MinuteSampler;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Keeps the history of all topics, and answers from it. Looking reads existing counters and waits
 * for nothing.
 */
public final class HistoryReport implements HistoryService, MetricSource {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration PURGE_EVERY = Duration.ofMinutes(10);
  private static final Duration PURGE_TIME = Duration.ofMillis(500);

  private final TopicDirectory topics;
  private final Limits limits;
  private final InstantSource clock;
  private final Sources sources;
  private final MailboxSettings.History settings;
  private final MinuteSampler sampler;
  private final MinuteQueue queue = new MinuteQueue();
  private final Purge purge;
  private @Nullable Long lookedAt;
  private @Nullable Long purgedAt;
  private int purgeFrom = HistoryStore.SERVICE;
  private boolean isEnded;
  private volatile long minute;

  /**
   * The sources outside the mailbox.
   *
   * @param refused refused calls since the process began
   * @param wall the system's clock, whose minutes operators read
   */
  public record Sources(
      HistoryStore store, LongSupplier refused, InstantSource wall, Ticker ticker) {}

  /**
   * @param clock the clock of the ages of messages
   */
  HistoryReport(
      TopicDirectory topics,
      Limits limits,
      InstantSource clock,
      Sources sources,
      MailboxSettings.History settings) {
    this.topics = topics;
    this.limits = limits;
    this.clock = clock;
    this.sources = sources;
    this.settings = settings;
    this.sampler = new MinuteSampler(sources.wall().instant(), settings.topics());
    this.minute = sampler.minute();
    this.purge = new Purge(sources.ticker(), PURGE_TIME);
  }

  /** Looks at the counters, if it is time. */
  public synchronized void look() {
    long now = sources.ticker().nanos();
    boolean isNewMinute = MinuteSampler.minuteOf(sources.wall().instant()) != sampler.minute();
    if (isNewMinute || lookedAt == null || now - lookedAt >= EVERY.toNanos()) {
      lookedAt = now;
      sampler.look(seen(), sources.wall().instant()).ifPresent(queue::add);
      minute = sampler.minute();
    }
  }

  /**
   * Writes a minute, if one waits.
   *
   * @return whether there was one
   * @throws org.svcmailbox.core.problem.UnavailableException if the database is away
   */
  public boolean write() {
    MinuteRows rows = queue.first();
    if (rows == null) {
      return false;
    }
    sources.store().write(rows);
    queue.written(rows);
    return true;
  }

  /**
   * Removes what is too old, every ten minutes, for a bounded time. One thread.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if the database is away
   */
  public void purge() {
    long now = sources.ticker().nanos();
    boolean isDue = purgedAt == null || now - purgedAt >= PURGE_EVERY.toNanos();
    if (isDue || purgeFrom != HistoryStore.SERVICE) {
      purgedAt = now;
      long before = MinuteSampler.minuteOf(sources.wall().instant().minus(settings.keep()));
      long unused =
          purge.run(
              () -> {
                purgeFrom = sources.store().purge(purgeFrom, before);
                return purgeFrom;
              });
    }
  }

  /**
   * Writes what waits, and the minute that is not complete, because the process ends.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if the database is away
   */
  public void end() {
    synchronized (this) {
      if (isEnded) {
        return;
      }
      isEnded = true;
      sampler.look(seen(), sources.wall().instant()).ifPresent(queue::add);
      queue.add(sampler.end());
    }
    boolean wrote;
    do {
      wrote = write();
    } while (wrote);
  }

  private Look seen() {
    Map<Integer, Figures> seen = new HashMap<>();
    for (Topic topic : topics.all()) {
      seen.put(topic.id(), figures(topic));
    }
    return new Look(seen, sources.refused().getAsLong());
  }

  private Figures figures(Topic topic) {
    TopicCounters counters = limits.topics().of(topic.name());
    counters.rates().look(sources.ticker().nanos());
    HeldMessages held = limits.held(topic.shards(), clock.millis());
    FlowCounts flow = counters.flow();
    return new Figures(
        Map.of(
            Series.SENT,
            flow.sent(),
            Series.DELIVERED,
            flow.delivered(),
            Series.REDELIVERED,
            flow.redelivered(),
            Series.ACKED,
            flow.acked(),
            Series.DEAD,
            counters.deadLetterCounts().sum(),
            Series.READY,
            held.ready(),
            Series.SCHEDULED,
            held.scheduled(),
            Series.INFLIGHT,
            held.inflight(),
            Series.LETTERS,
            counters.deadLetters(),
            Series.OLDEST_MS,
            held.oldestMillis()));
  }

  @Override
  public History read(Caller caller, Question question) {
    if (question.topics().isEmpty()) {
      caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    }
    question.topics().forEach(name -> caller.requireEither(Operation.PEEK, Operation.ADMIN, name));
    List<Topic> asked = question.topics().stream().map(topics::existing).toList();
    return limits.historyReads().counted(() -> read(asked, question));
  }

  private History read(List<Topic> asked, Question question) {
    HistoryStore store = sources.store();
    Span span = question.window().before(firstUnwritten());
    List<Step> service = store.read(HistoryStore.SERVICE, span, question.series());
    List<Line> lines = new ArrayList<>();
    if (asked.isEmpty()) {
      lines.add(new Line(null, HistoryPoints.ofService(span, service)));
    }
    for (Topic topic : asked) {
      List<Step> steps = store.read(topic.id(), span, question.series());
      lines.add(new Line(topic.name(), HistoryPoints.ofTopic(span, service, steps)));
    }
    Duration step = Duration.ofMinutes(span.step());
    return new History(span.begin(0), step, store.starts(span), lines);
  }

  /** An answer ends here, so that no minute shows as a gap before it is written. */
  private long firstUnwritten() {
    MinuteRows first = queue.first();
    return first == null ? minute : Math.min(first.minute(), minute);
  }

  @Override
  public List<Metric> metrics() {
    return queue.metrics();
  }
}
