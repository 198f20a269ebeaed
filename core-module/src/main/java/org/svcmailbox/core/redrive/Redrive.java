package org.svcmailbox.core.redrive;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.delivery.Purge;
import org.svcmailbox.core.delivery.Readmission;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.Ticker;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.core.topic.Topic;

/**
 * The jobs of this process. What is not over is in memory, as a {@link JobRun}; all else is in the
 * store. Any thread; {@link #step} is for one.
 */
public final class Redrive implements RedriveService, MetricSource {
  /** Jobs that are over, of which more are not kept; the audit has them all. */
  public static final int KEPT = 1_000;

  private static final Logger LOG = System.getLogger(Redrive.class.getName());
  private static final Duration SOON = Duration.ofSeconds(1);

  /** The least time between two looks of one policy; a quarter of its age, if that is more. */
  private static final Duration POLICY_PAUSE = Duration.ofMinutes(1);

  private static final Duration LATER = Duration.ofSeconds(10);

  /** How long forgetting jobs may take at a time. */
  private static final Duration TIDYING = Duration.ofMillis(500);

  private static final String JOBS = "dlq_jobs";
  private static final String STARTED = "dlq.job.start";

  /**
   * What it stands on.
   *
   * @param letters has what waits to be indexed written
   */
  public record Ports(
      DeadLetters letters,
      LetterIndex index,
      LetterQueues queues,
      LetterMover mover,
      Readmission readmission,
      JobStore store,
      AuditLog audit,
      InstantSource wall,
      Ticker ticker,
      RandomGenerator random) {}

  private final MailboxSettings.Redrive settings;
  private final Ports ports;
  private final JobRun.Ports runPorts;
  private final Purge purge;
  private final MovedLetters counts = new MovedLetters();
  private final Map<JobId, JobRun> runs = new ConcurrentHashMap<>();
  private final Map<JobId, Long> due = new ConcurrentHashMap<>();
  private final Map<TopicName, Long> policyDue = new HashMap<>();
  private final Tasks tasks = new Tasks(JOBS);
  private final Turns turns = new Turns(this::step);

  public Redrive(MailboxSettings settings, Ports ports) {
    this.settings = settings.redrive();
    this.ports = ports;
    this.purge = new Purge(ports.ticker(), TIDYING);
    this.runPorts =
        new JobRun.Ports(
            ports.index(),
            ports.queues(),
            ports.mover(),
            ports.readmission(),
            ports.store(),
            counts,
            ports.wall(),
            ports.ticker());
  }

  /**
   * Goes on with the jobs that are not over and that nobody does: those of the process before this
   * one, and one whose caller was told that the database failed although it was kept.
   */
  public synchronized void load() {
    ports.store().unfinished().stream()
        .filter(job -> !runs.containsKey(job.id()))
        // One that ends meanwhile is kept as over before it leaves the runs.
        .flatMap(job -> ports.store().find(job.id()).stream())
        .filter(job -> !job.progress().state().isOver())
        .forEach(this::goOn);
  }

  private void goOn(Job job) {
    LOG.log(Level.INFO, "Job {0} goes on: {1}", job.id(), job.progress().state().text());
    JobRun unused = run(job);
  }

  private JobRun run(Job job) {
    JobRun run = new JobRun(job, runPorts);
    runs.put(job.id(), run);
    due.put(job.id(), ports.ticker().nanos());
    turns.wake();
    return run;
  }

  /** Starts the one thread that does the turns of all jobs. */
  public SupervisedThread start(Supervision supervision, ThreadFactory factory) {
    return supervision.start("mailbox-dead-letter-jobs", tasks, factory, turns);
  }

  /**
   * Makes a job for every topic whose policy brings letters back that are there, as far as there is
   * room for jobs. What its policy made before has to be over.
   */
  public synchronized void applyPolicies() {
    for (Topic topic : ports.readmission().topics()) {
      RedrivePolicy policy = topic.settings().redrive();
      if (policy != null
          && runs.size() < settings.maxJobs()
          && !isUnderWay(topic.name())
          && isItsTurn(topic.name(), policy)) {
        apply(topic.name(), policy);
      }
    }
    policyDue.keySet().removeIf(topic -> ports.readmission().topic(topic).isEmpty());
  }

  /** What a policy could not bring back is not tried again at once. */
  private boolean isItsTurn(TopicName topic, RedrivePolicy policy) {
    long now = ports.ticker().nanos();
    Long next = policyDue.get(topic);
    if (next != null && next - now > 0) {
      return false;
    }
    Duration pause = policy.after().dividedBy(4);
    policyDue.put(
        topic, now + (pause.compareTo(POLICY_PAUSE) > 0 ? pause : POLICY_PAUSE).toNanos());
    return true;
  }

  private boolean isUnderWay(TopicName topic) {
    return runs.values().stream()
        .map(run -> run.status().job().order())
        .anyMatch(
            order -> order.topic().equals(topic) && order.selection() instanceof Selection.Due);
  }

  private void apply(TopicName topic, RedrivePolicy policy) {
    Instant now = now();
    Place end = Place.before(now.minus(policy.after()));
    if (ports.index().due(topic, policy.times(), Place.FIRST, end, 1).isEmpty()) {
      return;
    }
    JobOrder order =
        new JobOrder(
            topic,
            JobAction.REPROCESS,
            new Selection.Due(policy.times()),
            settings.rate(),
            null,
            "the topic's policy");
    Map<DeadLetterReason, Long> counts =
        ports.index().countDue(topic, policy.times(), Place.FIRST, end);
    JobRun unused =
        begin(order, end, counts, new AuditEntry(now, AuditEntry.SERVICE, "", STARTED, "", ""));
  }

  /** Does a turn of every job that is due; answers after how many nanoseconds the next one is. */
  public long step() {
    if (!runs.values().stream().allMatch(JobRun::settle)) {
      return SOON.toNanos();
    }
    long next = LATER.toNanos();
    for (Map.Entry<JobId, JobRun> each : runs.entrySet()) {
      next = Math.min(next, step(each.getKey(), each.getValue()));
      if (!each.getValue().settle()) {
        return SOON.toNanos();
      }
    }
    return Math.max(0, next);
  }

  private long step(JobId id, JobRun run) {
    long set = due.getOrDefault(id, ports.ticker().nanos());
    long wait = set - ports.ticker().nanos();
    if (wait > 0) {
      return wait;
    }
    Optional<Duration> pause = turn(id, run);
    if (run.status().job().progress().state().isOver()) {
      forget(id);
      return Long.MAX_VALUE;
    }
    // One that is paused is looked at now and then; resuming it makes it due at once.
    long nanos = pause.orElse(LATER).toNanos();
    return due.replace(id, set, ports.ticker().nanos() + nanos) ? nanos : 0;
  }

  private void forget(JobId id) {
    runs.remove(id);
    due.remove(id);
  }

  private Optional<Duration> turn(JobId id, JobRun run) {
    try {
      return run.turn();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Job " + id + " failed", e);
      run.fail("the service failed; see its log");
      return Optional.empty();
    }
  }

  /**
   * Goes on with what nobody does, and forgets the oldest of the jobs that are over; returns how
   * many it forgot.
   */
  public long tidy() {
    load();
    return purge.run(() -> ports.store().purge(KEPT));
  }

  @Override
  public Map<DeadLetterReason, Long> dryRun(Caller caller, Wanted wanted) {
    require(caller, wanted);
    return frozen(wanted).byReason();
  }

  @Override
  public synchronized Status start(Caller caller, Wanted wanted) {
    require(caller, wanted);
    if (runs.size() >= settings.maxJobs()) {
      throw new SaturatedException(
          JOBS, "there are " + settings.maxJobs() + " jobs that are not over", LATER);
    }
    if (wanted.toTopic() != null) {
      ports.readmission().required(wanted.toTopic());
    }
    Frozen frozen = frozen(wanted);
    JobOrder order =
        new JobOrder(
            wanted.topic(),
            wanted.action(),
            frozen.selection(),
            wanted.rate() == null ? settings.rate() : wanted.rate(),
            wanted.toTopic(),
            wanted.note());
    return begin(order, frozen.end(), frozen.byReason(), caller.audit(now(), STARTED, "", ""))
        .status();
  }

  /**
   * Keeps a new job and has it begin.
   *
   * @param who the audit's entry of it, but for the job's name and what it is about
   */
  private JobRun begin(
      JobOrder order, Place end, Map<DeadLetterReason, Long> byReason, AuditEntry who) {
    Job job =
        new Job(
            JobId.random(ports.random()),
            order,
            end,
            byReason,
            who.actor(),
            who.at(),
            JobProgress.beginning(who.at()));
    AuditEntry entry =
        new AuditEntry(
            who.at(), who.actor(), who.address(), who.action(), job.id().value(), note(job));
    ports.store().create(job, entry);
    return run(job);
  }

  private void require(Caller caller, Wanted wanted) {
    caller.require(Operation.DLQ, wanted.topic());
    if (wanted.toTopic() != null) {
      caller.require(Operation.DLQ, wanted.toTopic());
    }
    requireTopic(wanted.topic());
  }

  private void requireTopic(TopicName name) {
    if (ports.readmission().topic(name).isEmpty()) {
      throw new NotFoundException("there is no topic " + name);
    }
  }

  /** The letters that a job is about, which no later one will be among. */
  private record Frozen(Selection selection, Place end, Map<DeadLetterReason, Long> byReason) {}

  private Frozen frozen(Wanted wanted) {
    Place end = ports.queues().frontier();
    ports.letters().flush();
    LetterFilter filter = wanted.filter();
    if (filter != null) {
      Map<DeadLetterReason, Long> counts = ports.index().count(wanted.topic(), filter, end);
      return new Frozen(new Selection.Matching(filter), end, counts);
    }
    List<DeadLetter> chosen =
        requireNonNull(wanted.msgIds()).stream()
            .flatMap(id -> ports.index().find(wanted.topic(), id).stream())
            .filter(letter -> letter.place().compareTo(end) < 0)
            .distinct()
            .toList();
    Map<DeadLetterReason, Long> counts = new HashMap<>();
    chosen.forEach(letter -> counts.merge(letter.reason(), 1L, Long::sum));
    return new Frozen(
        new Selection.Chosen(chosen.stream().map(DeadLetter::place).toList()), end, counts);
  }

  @Override
  public Status job(Caller caller, JobId id) {
    Status status = find(id);
    caller.require(Operation.DLQ_VIEW, status.job().order().topic());
    return status;
  }

  @Override
  public List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit) {
    caller.require(Operation.DLQ_VIEW, topic);
    return ports.store().list(topic, limit).stream().map(this::current).toList();
  }

  private Status find(JobId id) {
    JobRun run = runs.get(id);
    return run != null
        ? run.status()
        : ports
            .store()
            .find(id)
            .map(job -> new Status(job, null))
            .orElseThrow(() -> new NotFoundException("there is no job " + id));
  }

  private Status current(Job stored) {
    JobRun run = runs.get(stored.id());
    return run == null ? new Status(stored, null) : run.status();
  }

  @Override
  public Status pause(Caller caller, JobId id) {
    return change(caller, id, JobState.PAUSED, "dlq.job.pause");
  }

  @Override
  public Status resume(Caller caller, JobId id) {
    return change(caller, id, JobState.RUNNING, "dlq.job.resume");
  }

  @Override
  public Status cancel(Caller caller, JobId id) {
    return change(caller, id, JobState.CANCELLED, "dlq.job.cancel");
  }

  private Status change(Caller caller, JobId id, JobState state, String action) {
    caller.require(Operation.DLQ, find(id).job().order().topic());
    JobRun run = runs.get(id);
    if (run == null) {
      return find(id);
    }
    Status before = run.status();
    run.become(state, caller.audit(now(), action, id.value(), progress(before.job())));
    if (run.status().job().progress().state().isOver()) {
      forget(id);
    } else {
      due.computeIfPresent(id, (known, old) -> ports.ticker().nanos());
      turns.wake();
    }
    return run.status();
  }

  @Override
  public SendOutcome resend(Caller caller, Resend resend) {
    TopicName to = resend.toTopic() == null ? resend.topic() : resend.toTopic();
    caller.require(Operation.DLQ_EDIT, resend.topic());
    caller.require(Operation.DLQ_EDIT, to);
    requireTopic(resend.topic());
    ports.readmission().required(to);
    ports.letters().flush();
    LetterContent content = read(resend);
    SendRequest request = request(resend, to, content);
    Instant now = now();
    String note = "topic=" + resend.topic() + " to=" + to + changed(resend) + "; " + resend.note();
    ports.audit().note(caller.audit(now, "dlq.resend", resend.msgId().toString(), note));
    Place place = content.letter().place();
    SendOutcome outcome =
        Readmission.outcome(
            ports.readmission().send(request, Letters.origin(content, now, "sent again")));
    return forgotten(outcome, resend.topic(), place);
  }

  /** The letter is gone: the queues would tell the index sooner or later. */
  private SendOutcome forgotten(SendOutcome outcome, TopicName topic, Place place) {
    if (outcome instanceof SendOutcome.Accepted accepted && !accepted.duplicate()) {
      ports.letters().left(topic, place);
      ports.readmission().lettersLeft(topic);
    }
    return outcome;
  }

  private LetterContent read(Resend resend) {
    return ports
        .index()
        .find(resend.topic(), resend.msgId())
        .flatMap(ports.queues()::read)
        .orElseThrow(
            () ->
                new NotFoundException(
                    "no dead letter of " + resend.topic() + " is " + resend.msgId()));
  }

  private static SendRequest request(Resend resend, TopicName to, LetterContent content) {
    Envelope envelope = content.letter().envelope();
    Attributes own = envelope == null ? Attributes.NONE : envelope.attrs();
    Map<String, String> attrs =
        new HashMap<>((resend.attrs() == null ? own : resend.attrs()).values());
    attrs.put(Resend.LINK, resend.msgId().toString());
    CorrId corrId = envelope == null ? null : envelope.corrId();
    IdemKey key =
        resend.idemKey() == null ? new IdemKey("resend-" + resend.msgId()) : resend.idemKey();
    return new SendRequest(
        to,
        resend.payload() == null ? content.payload() : resend.payload(),
        key,
        new Attributes(attrs),
        corrId,
        null,
        Duration.ZERO,
        content.ttl(),
        null,
        null,
        content.trace());
  }

  private static String changed(Resend resend) {
    return (resend.payload() == null ? "" : " payload") + (resend.attrs() == null ? "" : " attrs");
  }

  private static String note(Job job) {
    JobOrder order = job.order();
    return "%s topic=%s %s letters=%d %s rate=%d%s; %s"
        .formatted(
            order.action().text(),
            order.topic(),
            which(order.selection()),
            job.total(),
            ReasonCounts.text(job.byReason()),
            order.rate(),
            order.toTopic() == null ? "" : " to=" + order.toTopic(),
            order.note());
  }

  private static String which(Selection selection) {
    if (selection instanceof Selection.Chosen chosen) {
      return "chosen=" + chosen.places().size();
    }
    return selection instanceof Selection.Due due
        ? "reprocessed<" + due.times()
        : "filter=" + FilterText.of(((Selection.Matching) selection).filter());
  }

  private static String progress(Job job) {
    JobProgress now = job.progress();
    return "%s: %d of %d done, %d failed"
        .formatted(now.state().text(), now.done(), job.total(), now.failed());
  }

  private Instant now() {
    return ports.wall().instant();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> jobs =
        List.of(
            Family.BOUND_USED.of(runs::size, JOBS),
            Family.BOUND_CAPACITY.of(settings::maxJobs, JOBS));
    return Stream.of(jobs, counts.metrics(), tasks.metrics()).flatMap(List::stream).toList();
  }
}
