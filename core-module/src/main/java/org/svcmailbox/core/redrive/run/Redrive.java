package org.svcmailbox.core.redrive.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.Purge;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.time.Ticker;

/**
 * The redrive service: checks callers and delegates to its parts. Unfinished jobs are in memory and
 * in the store, finished ones in the store only. Any thread, but only one may call {@link #step}.
 */
public final class Redrive implements RedriveService, MetricSource {
  private static final Duration PURGE_TIME = Duration.ofMillis(500);

  public record Letters(
      DeadLetters deadLetters, LetterIndex index, LetterQueues queues, LetterMover mover) {}

  public record Records(JobStore store, AuditLog audit, DiscardPermits permits) {}

  public record Sources(InstantSource wall, Ticker ticker, RandomGenerator random) {}

  private final RedriveTarget target;
  private final JobStore store;
  private final InstantSource wall;
  private final JobLetterCounts counts = new JobLetterCounts();
  private final JobSchedule schedule;
  private final JobDirectory jobs;
  private final JobStarter starter;
  private final RedrivePolicies policies;
  private final LetterResend resends;
  private final DeadAgain deadAgain;
  private final Purge purge;
  private final Tasks tasks = new Tasks("dlq_jobs");

  public Redrive(
      MailboxSettings settings,
      Letters letters,
      RedriveTarget target,
      Records records,
      Sources sources) {
    this.target = target;
    this.store = records.store();
    this.wall = sources.wall();
    Ticker ticker = sources.ticker();
    LetterIndex index = letters.index();
    JobPermits permits = new JobPermits(records.permits());
    UnansweredStarts unanswered = new UnansweredStarts();
    BatchPicker picker = new BatchPicker(index, letters.mover(), target, wall);
    LetterBookkeeping bookkeeping = new LetterBookkeeping(index, letters.queues(), target, counts);
    this.schedule =
        new JobSchedule(
            settings.redrive().maxJobs(),
            settings.bounds().fairShare(),
            ticker,
            job ->
                new JobRun(
                    new TrackedJob(job, store, permits, wall),
                    picker,
                    bookkeeping,
                    target,
                    ticker));
    this.jobs = new JobDirectory(schedule, store, permits, unanswered, wall);
    this.starter =
        new JobStarter(
            letters,
            store,
            schedule,
            permits,
            unanswered,
            sources.random(),
            settings.redrive().rate());
    this.policies = new RedrivePolicies(index, target, schedule, starter, sources);
    this.resends = new LetterResend(letters, target, records.audit(), wall);
    this.deadAgain = new DeadAgain(index, ticker);
    this.purge = new Purge(ticker, PURGE_TIME);
  }

  /** Continues the jobs of an earlier process. Call it once, at the start. */
  public synchronized void load() {
    jobs.load();
  }

  /** Starts the one thread that runs all jobs. */
  public SupervisedThread start(Supervision supervision, ThreadFactory factory) {
    return supervision.start("mailbox-dead-letter-jobs", tasks, factory, schedule.turns());
  }

  /** Starts the jobs that topics' policies ask for. */
  public synchronized void applyPolicies() {
    policies.apply();
  }

  /** Does a turn of every due job; returns the nanoseconds until the next one is due. */
  public long step() {
    return schedule.step();
  }

  /** Adopts stored jobs that nobody runs, and deletes old ones; returns how many. */
  public long tidy() {
    adopt();
    return purge.run(() -> store.purge(KEPT));
  }

  private synchronized void adopt() {
    jobs.adopt();
  }

  @Override
  public Map<DeadLetterReason, Long> dryRun(Caller caller, JobRequest request) {
    require(caller, request);
    if (request.toTopic() != null) {
      target.requireReachable(request.toTopic());
    }
    return starter.select(request).byReason();
  }

  @Override
  public synchronized Status start(Caller caller, JobRequest request) {
    require(caller, request);
    schedule.requireRoomForNew(request.topic());
    if (request.toTopic() != null) {
      target.requireTopic(request.toTopic());
    }
    return starter.start(request, caller.audit(now(), JobStarter.ACTION, "", "")).status();
  }

  private void require(Caller caller, JobRequest request) {
    caller.require(Operation.DLQ, request.topic());
    if (request.toTopic() != null) {
      caller.require(Operation.DLQ, request.toTopic());
    }
    requireTopic(request.topic());
  }

  private void requireTopic(TopicName name) {
    if (target.topic(name).isEmpty()) {
      throw new NotFoundException("there is no topic " + name);
    }
  }

  @Override
  public Status job(Caller caller, JobId id) {
    Status status = jobs.find(id);
    caller.require(Operation.DLQ_VIEW, status.job().spec().topic());
    return deadAgain.count(status);
  }

  @Override
  public List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit) {
    caller.require(Operation.DLQ_VIEW, topic);
    return deadAgain.count(jobs.list(topic, limit));
  }

  @Override
  public Status pause(Caller caller, JobId id) {
    return change(caller, id, JobState.PAUSED, "dlq.job.pause");
  }

  @Override
  public synchronized Status resume(Caller caller, JobId id) {
    return change(caller, id, JobState.RUNNING, "dlq.job.resume");
  }

  @Override
  public Status cancel(Caller caller, JobId id) {
    return change(caller, id, JobState.CANCELLED, "dlq.job.cancel");
  }

  @Override
  public Status rate(Caller caller, JobId id, int rate) {
    Job job = known(caller, id);
    String note = job.spec().rate() + " to " + rate + " letters per second";
    return jobs.rate(id, rate, caller.audit(now(), "dlq.job.rate", id.value(), note));
  }

  private Status change(Caller caller, JobId id, JobState state, String action) {
    Job job = known(caller, id);
    if (state == JobState.RUNNING && job.progress().state() == JobState.PAUSED) {
      schedule.requireRoom(job.spec().topic());
    }
    return jobs.change(id, state, caller.audit(now(), action, id.value(), JobNotes.progress(job)));
  }

  /** A job that the caller may change, in the schedule if it is unfinished. */
  private Job known(Caller caller, JobId id) {
    Job job = jobs.find(id).job();
    caller.require(Operation.DLQ, job.spec().topic());
    if (!jobs.isScheduled(id) && !job.progress().state().isOver()) {
      adopt();
    }
    return job;
  }

  @Override
  public SendOutcome resend(Caller caller, Resend resend) {
    TopicName to = LetterResend.topicOf(resend);
    IdemKey key = LetterResend.keyOf(resend);
    caller.requireSend(Operation.DLQ_EDIT, resend.topic(), key);
    caller.requireSend(Operation.DLQ_EDIT, to, key);
    requireTopic(resend.topic());
    target.requireTopic(to);
    return resends.send(caller, resend);
  }

  private Instant now() {
    return wall.instant();
  }

  @Override
  public List<Metric> metrics() {
    return Stream.of(schedule.metrics(), counts.metrics(), tasks.metrics())
        .flatMap(List::stream)
        .toList();
  }
}
