package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;

/**
 * The thread that watches leases and interrupts handlers, each {@link HandledMessage} when it is
 * due. Only this thread, those that extend for it, and the stopping one interrupt a handler.
 *
 * <p>It makes no call itself, so a backend that does not answer cannot delay it. Each batch of
 * extensions is a separate task ({@link LeaseThreads}).
 */
final class LeaseKeeper<T, R> implements Runnable {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  /** How long the thread rests when there is no memory to look at leases. */
  private static final Duration BREATH = Duration.ofMillis(100);

  private final Mailbox<T, R> mailbox;
  private final Duration visibility;
  private final LoopState<T, R> state;
  private final MailboxClock clock;
  private final Executor threads;
  private final LoopSupervisor<T, R> supervisor;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sooner = lock.newCondition();
  private long due;
  private boolean ended;

  /** Whether that was logged. Of the thread that runs this. */
  private boolean lacksThreads;

  /** Of the jobs of a loop, with threads for the extensions. */
  LeaseKeeper(
      Mailbox<T, R> mailbox,
      LoopSettings settings,
      LoopState<T, R> state,
      Executor threads,
      LoopSupervisor<T, R> supervisor) {
    this.mailbox = mailbox;
    this.visibility = settings.visibility();
    this.state = state;
    this.clock = settings.clock();
    this.threads = threads;
    this.supervisor = supervisor;
    this.due = clock.deadline(MailboxClock.FOREVER);
  }

  @Override
  public void run() {
    while (expectNothing()) {
      awaitDue(keepAll());
    }
  }

  /** Does all due work, and returns when the next work is due. */
  private long keepAll() {
    try {
      // A job that is added from here on calls wakeFor itself.
      List<HandledMessage<T, R>> jobs = state.jobs();
      jobs.forEach(HandledMessage::watch);
      extend(jobs);
      return earliest(jobs.stream());
    } catch (OutOfMemoryError e) {
      return clock.deadline(BREATH);
    }
  }

  private void extend(List<HandledMessage<T, R>> jobs) {
    long now = clock.nanoTime();
    List<Held<T, R>> held =
        jobs.stream().map(job -> new Held<>(job, job.lease())).filter(Held::isKept).toList();
    for (List<Held<T, R>> batch :
        HeartbeatLease.batches(held, Held::kept, now, mailbox.maxExtensions())) {
      begin(new Call(batch.stream().map(Held::job).toList(), extension(batch, now), now));
    }
  }

  /** A job and a snapshot of its lease, so that a batch is planned from stable values. */
  private record Held<T, R>(HandledMessage<T, R> job, @Nullable HeartbeatLease lease) {
    boolean isKept() {
      return lease != null;
    }

    HeartbeatLease kept() {
      return requireNonNull(lease);
    }
  }

  private Extension extension(List<Held<T, R>> batch, long now) {
    long within = batch.stream().mapToLong(held -> held.kept().end() - now).max().orElseThrow();
    Duration silence =
        batch.stream()
            .map(held -> held.kept().silence(now))
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    return new Extension(visibility, Duration.ofNanos(Math.max(1, within)), silence);
  }

  private void begin(Call call) {
    call.jobs.forEach(job -> job.extending(call.begun));
    try {
      threads.execute(call);
      lacksThreads = false;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      if (!lacksThreads) {
        lacksThreads = true;
        LOG.log(Level.WARNING, LoopSupervisor.name(mailbox) + ": no thread to extend leases", e);
      }
      call.jobs.forEach(job -> job.notExtended(e));
    }
  }

  /** One batch of extensions. */
  private final class Call implements Runnable {
    private final List<HandledMessage<T, R>> jobs;
    private final Extension extension;
    private final long begun;

    Call(List<HandledMessage<T, R>> jobs, Extension extension, long begun) {
      this.jobs = jobs;
      this.extension = extension;
      this.begun = begun;
    }

    @Override
    public void run() {
      try {
        List<Optional<RuntimeException>> failures =
            mailbox.extendAll(jobs.stream().map(HandledMessage::message).toList(), extension);
        for (int i = 0; i < jobs.size(); i++) {
          tell(jobs.get(i), failures.get(i));
        }
      } catch (RuntimeException | Error e) {
        jobs.forEach(job -> job.notExtended(e));
        if (!LoopSupervisor.mayPass(e)) {
          supervisor.failed(e);
        }
      }
      wakeAt(earliest(jobs.stream()));
    }

    private void tell(HandledMessage<T, R> job, Optional<RuntimeException> failure) {
      failure.ifPresentOrElse(job::notExtended, () -> job.extended(begun));
    }
  }

  private long earliest(Stream<HandledMessage<T, R>> jobs) {
    return jobs.map(HandledMessage::nextDue)
        .reduce(clock.deadline(MailboxClock.FOREVER), HandledMessage::earlier);
  }

  /** Wakes the thread for a new job, or for one whose limit has become earlier. */
  void wakeFor(HandledMessage<T, R> job) {
    wakeAt(job.nextDue());
  }

  private void wakeAt(long moment) {
    lock.lock();
    try {
      expect(moment);
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      sooner.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** False if there is no more to do. */
  private boolean expectNothing() {
    lock.lock();
    try {
      due = clock.deadline(MailboxClock.FOREVER);
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  private void expect(long moment) {
    if (moment - due < 0) {
      due = moment;
      sooner.signalAll();
    }
  }

  private void awaitDue(long next) {
    lock.lock();
    try {
      expect(next);
      if (!ended && !clock.isPast(due)) {
        clock.await(lock, sooner, due);
      }
    } catch (InterruptedException e) {
      // No code here interrupts this thread, so ignore the interrupt: the leases matter more.
      boolean unused = Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }
}
