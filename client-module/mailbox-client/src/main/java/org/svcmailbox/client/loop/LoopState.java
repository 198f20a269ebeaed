package org.svcmailbox.client.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/** The state that the threads of a loop share, behind one lock: its phase, jobs and threads. */
final class LoopState<T, R> {
  private enum Phase {
    RUNNING,
    STOPPING,
    STOPPED
  }

  /** How long the first idle worker waits for others. */
  private static final Duration GATHERING = Duration.ofMillis(1);

  private final int workers;
  private final boolean ordered;
  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled for one worker, or for all when the loop stops. */
  private final Condition jobAdded = lock.newCondition();

  /** For the receiver. */
  private final Condition workerIdle = lock.newCondition();

  /** For the threads that pause or stop the loop. */
  private final Condition changed = lock.newCondition();

  /**
   * Every message between its receipt and its end. As many as there are workers may wait or be
   * handled, and as many be settled.
   */
  private final Set<HandledMessage<T, R>> jobs = new LinkedHashSet<>();

  private final Deque<HandledMessage<T, R>> unstarted = new ArrayDeque<>();
  private Phase phase = Phase.RUNNING;
  private @Nullable Throwable failure;
  private @Nullable Thread receiver;
  private boolean receiving = true;
  private int threads;

  LoopState(LoopSettings settings) {
    this.workers = settings.workers();
    this.ordered = settings.ordered();
    this.clock = settings.clock();
  }

  boolean isRunning() {
    lock.lock();
    try {
      return phase == Phase.RUNNING;
    } finally {
      lock.unlock();
    }
  }

  /** Begins to stop, because of a failure; false if it stops already. */
  boolean fail(Throwable cause) {
    lock.lock();
    try {
      if (phase != Phase.RUNNING) {
        return false;
      }
      failure = cause;
      beginToStop();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Why the loop ended without being stopped; null if it did not. */
  @Nullable Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /** The jobs that have not ended. */
  List<HandledMessage<T, R>> jobs() {
    lock.lock();
    try {
      return List.copyOf(jobs);
    } finally {
      lock.unlock();
    }
  }

  /** Runs a task on a thread that counts until the task ends. */
  void launch(Executor executor, Runnable task) {
    lock.lock();
    try {
      executor.execute(() -> runToItsEnd(task));
      threads++;
    } finally {
      lock.unlock();
    }
  }

  private void runToItsEnd(Runnable task) {
    try {
      task.run();
    } finally {
      lock.lock();
      try {
        threads--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Registers the calling thread as the receiver, which is interrupted when the loop begins to
   * stop.
   */
  void beginReceiving() {
    lock.lock();
    try {
      receiver = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  void endReceiving() {
    lock.lock();
    try {
      receiving = false;
      receiver = null;
      boolean unused = Thread.interrupted();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a worker is idle. Returns the number of idle workers, or zero when the loop stops.
   */
  int awaitIdle() {
    lock.lock();
    try {
      // Clear an interrupt from elsewhere, or empty receives would become a busy loop.
      boolean unused = Thread.interrupted();
      while (phase == Phase.RUNNING && idle() == 0) {
        workerIdle.awaitUninterruptibly();
      }
      gather();
      return phase == Phase.RUNNING ? idle() : 0;
    } finally {
      lock.unlock();
    }
  }

  /** A receive for several workers costs as much as one for the first of them. */
  private void gather() {
    long left = GATHERING.toNanos();
    try {
      while (phase == Phase.RUNNING && idle() < workers && left > 0) {
        left = workerIdle.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // The loop stops, or other code interrupts its threads: in both cases, stop waiting.
      boolean unused = Thread.interrupted();
    }
  }

  /**
   * A worker that settles a message is idle, because receiving the next one takes about as long. An
   * ordered loop waits: a message whose settlement fails comes before the next one.
   */
  private int idle() {
    long busy = ordered ? jobs.size() : jobs.stream().filter(job -> !job.isSettling()).count();
    return workers - (int) busy;
  }

  /** A handler has returned. */
  void handled() {
    lock.lock();
    try {
      workerIdle.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Hands a job to a worker; false if the loop stops. */
  boolean add(HandledMessage<T, R> job) {
    lock.lock();
    try {
      if (phase != Phase.RUNNING) {
        // The interrupt was meant for the receive, not for returning its messages.
        boolean unused = Thread.interrupted();
        return false;
      }
      jobs.add(job);
      unstarted.add(job);
      jobAdded.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next job of a worker; null when the loop has stopped. */
  @Nullable HandledMessage<T, R> next() {
    lock.lock();
    try {
      while (phase != Phase.STOPPED && unstarted.isEmpty()) {
        jobAdded.awaitUninterruptibly();
      }
      return unstarted.poll();
    } finally {
      lock.unlock();
    }
  }

  void remove(HandledMessage<T, R> job) {
    lock.lock();
    try {
      jobs.remove(job);
      workerIdle.signal();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A pause of the receiver, which ends early when the loop begins to stop. */
  void pauseWhileRunning(Duration duration) {
    awaitWhile(() -> phase == Phase.RUNNING, deadline(duration));
  }

  /** A pause before a settlement is repeated; false if the loop has stopped. */
  boolean pauseUntilStopped(Duration duration) {
    lock.lock();
    try {
      awaitWhile(() -> phase != Phase.STOPPED, deadline(duration));
      return phase != Phase.STOPPED;
    } finally {
      lock.unlock();
    }
  }

  void beginToStop() {
    lock.lock();
    try {
      if (phase == Phase.RUNNING) {
        phase = Phase.STOPPING;
        workerIdle.signal();
        changed.signalAll();
        if (receiver != null) {
          receiver.interrupt();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing is received or handled, or a moment comes. */
  void awaitWork(long end) {
    awaitWhile(() -> receiving || !jobs.isEmpty(), end);
  }

  void awaitJobs(long end) {
    awaitWhile(() -> !jobs.isEmpty(), end);
  }

  /** Lets every thread end that does not run a handler. */
  void stopped() {
    lock.lock();
    try {
      phase = Phase.STOPPED;
      workerIdle.signal();
      jobAdded.signalAll();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until only threads that run a handler are left. */
  void awaitThreads(long end) {
    awaitWhile(() -> threads > jobs.stream().filter(HandledMessage::isRunning).count(), end);
  }

  /** The end of a wait that lasts {@code fromNow}. */
  long deadline(Duration fromNow) {
    return clock.deadline(fromNow);
  }

  /** Waits while a condition holds, until then; an interrupted thread waits no longer. */
  private void awaitWhile(BooleanSupplier condition, long end) {
    lock.lock();
    try {
      while (condition.getAsBoolean() && !clock.isPast(end)) {
        clock.await(lock, changed, end);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
