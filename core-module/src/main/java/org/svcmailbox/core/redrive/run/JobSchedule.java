package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.core.time.Ticker;

/**
 * The unfinished jobs, and when each one is due. Any thread, but only one may call {@link #step}.
 */
final class JobSchedule {
  private static final Logger LOG = System.getLogger(JobSchedule.class.getName());
  private static final Duration DOUBT_PAUSE = Duration.ofSeconds(1);

  /** The delay of a paused job's turns; resuming it makes it due at once. */
  private static final Duration IDLE_PAUSE = Duration.ofSeconds(10);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);
  private static final String BOUND = "dlq_jobs";
  private static final String UNFINISHED = "dlq_jobs_unfinished";

  /** The most jobs that run or are paused. */
  static final int MOST_UNFINISHED = 200;

  private final int maxRunning;
  private final FairShare share;
  private final Ticker ticker;
  private final Function<Job, JobRun> runner;
  private final Map<JobId, JobRun> runs = new ConcurrentHashMap<>();
  private final Map<JobId, Long> due = new ConcurrentHashMap<>();
  private final Turns turns = new Turns(this::step);

  /**
   * @param share the part of the running and of the unfinished jobs that one topic may have
   */
  JobSchedule(int maxRunning, FairShare share, Ticker ticker, Function<Job, JobRun> runner) {
    this.maxRunning = maxRunning;
    this.share = share;
    this.ticker = ticker;
    this.runner = runner;
  }

  Turns turns() {
    return turns;
  }

  /** Whether one more job of a topic may run. */
  boolean hasRoom(TopicName topic) {
    return share.allows(maxRunning, running(any -> true) + 1, running(topic::equals), 1);
  }

  /** As {@link #hasRoom}, and whether one more unfinished job of the topic is allowed. */
  boolean hasRoomForNew(TopicName topic) {
    long had = topics(run -> true).filter(topic::equals).count();
    return hasRoom(topic) && share.allows(MOST_UNFINISHED, runs.size() + 1L, had, 1);
  }

  void requireRoom(TopicName topic) {
    if (!hasRoom(topic)) {
      throw new SaturatedException(
          BOUND,
          "%d of %d jobs run, %d of them of this topic"
              .formatted(running(any -> true), maxRunning, running(topic::equals)),
          RETRY_AFTER);
    }
  }

  void requireRoomForNew(TopicName topic) {
    requireRoom(topic);
    if (!hasRoomForNew(topic)) {
      throw new SaturatedException(
          UNFINISHED, "too many jobs are paused: cancel or resume some", RETRY_AFTER);
    }
  }

  private long running(Predicate<TopicName> which) {
    return topics(JobRun::isRunning).filter(which).count();
  }

  private Stream<TopicName> topics(Predicate<JobRun> which) {
    return runs.values().stream().filter(which).map(run -> run.status().job().spec().topic());
  }

  List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(() -> running(any -> true), BOUND),
        Family.BOUND_CAPACITY.of(() -> maxRunning, BOUND),
        Family.BOUND_USED.of(runs::size, UNFINISHED),
        Family.BOUND_CAPACITY.of(() -> MOST_UNFINISHED, UNFINISHED));
  }

  Collection<JobRun> runs() {
    return runs.values();
  }

  @Nullable JobRun find(JobId id) {
    return runs.get(id);
  }

  /** Adds a job, due at once. */
  JobRun add(Job job) {
    JobRun run = runner.apply(job);
    runs.put(job.id(), run);
    due.put(job.id(), ticker.nanos());
    turns.wake();
    return run;
  }

  /** Removes a finished job, or makes an unfinished one due at once. */
  void update(JobRun run) {
    Job job = run.status().job();
    if (job.progress().state().isOver()) {
      remove(job.id());
    } else {
      due.computeIfPresent(job.id(), (known, old) -> ticker.nanos());
      turns.wake();
    }
  }

  private void remove(JobId id) {
    runs.remove(id);
    due.remove(id);
  }

  /** Does a turn of every due job; returns the nanoseconds until the next one is due. */
  long step() {
    if (!runs.values().stream().allMatch(JobRun::resolve)) {
      return DOUBT_PAUSE.toNanos();
    }
    long next = IDLE_PAUSE.toNanos();
    for (Map.Entry<JobId, JobRun> each : runs.entrySet()) {
      next = Math.min(next, step(each.getKey(), each.getValue()));
      if (!each.getValue().resolve()) {
        return DOUBT_PAUSE.toNanos();
      }
    }
    return Math.max(0, next);
  }

  private long step(JobId id, JobRun run) {
    long set = due.getOrDefault(id, ticker.nanos());
    long wait = set - ticker.nanos();
    if (wait > 0) {
      return wait;
    }
    Optional<Duration> pause = turn(id, run);
    if (run.status().job().progress().state().isOver()) {
      remove(id);
      return Long.MAX_VALUE;
    }
    long nanos = pause.orElse(IDLE_PAUSE).toNanos();
    return due.replace(id, set, ticker.nanos() + nanos) ? nanos : 0;
  }

  private static Optional<Duration> turn(JobId id, JobRun run) {
    try {
      return run.turn();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Job " + id + " failed", e);
      run.fail("the service failed; see its log");
      return Optional.empty();
    }
  }
}
