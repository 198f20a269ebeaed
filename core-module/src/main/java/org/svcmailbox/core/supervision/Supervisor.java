package org.svcmailbox.core.supervision;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;

/**
 * Watches the threads that it started. When its own thread dies, it starts a successor or fails the
 * health check.
 */
public final class Supervisor implements Threads, MetricSource {
  private static final Logger LOG = System.getLogger(Supervisor.class.getName());
  private static final String NAME = "mailbox-supervisor";

  /** A dying thread reports itself; this interval finds threads that could not. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ThreadFactory threads;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final Tasks tasks = new Tasks("supervisor");
  private final List<SupervisedThread> supervised = new CopyOnWriteArrayList<>();
  private volatile @Nullable Thread thread;
  private volatile boolean ending;

  /**
   * @param nanos a monotonic clock
   */
  public Supervisor(ThreadFactory threads, LongSupplier nanos, RandomGenerator random) {
    this.threads = threads;
    this.nanos = nanos;
    this.random = random;
  }

  public void begin() {
    start(Duration.ZERO);
  }

  private void start(Duration pause) {
    Thread made = threads.newThread(() -> watch(pause));
    made.setName(NAME);
    made.start();
    thread = made;
    tasks.spawned();
  }

  private void watch(Duration pause) {
    boolean died = true;
    try {
      LockSupport.parkNanos(this, pause.toNanos());
      // Only the container interrupts this thread, to end it.
      while (!ending && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, Math.min(LOOK.toNanos(), step()));
      }
      died = false;
    } finally {
      if (died && !ending) {
        tasks.aborted();
        start(SupervisedThread.PAUSE.after(0, random));
        LOG.log(Level.ERROR, "The supervisor has died; another one takes its place");
      }
    }
  }

  /** Checks every thread once; returns the nanoseconds until the next check. */
  long step() {
    supervised.removeIf(SupervisedThread::isEnding);
    long now = nanos.getAsLong();
    return supervised.stream().mapToLong(one -> one.look(now)).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public SupervisedThread start(String name, Tasks kind, ThreadFactory factory, Body body) {
    SupervisedThread one =
        new SupervisedThread(name, kind, factory, body, random, () -> LockSupport.unpark(thread));
    one.begin(nanos.getAsLong());
    supervised.add(one);
    return one;
  }

  @Override
  public Vital vital() {
    Thread own = thread;
    if (own != null && !own.isAlive()) {
      return Vital.down(Part.THREADS, NAME + " has ended");
    }
    Optional<SupervisedThread> dying =
        supervised.stream().filter(one -> one.deaths() >= SupervisedThread.TOO_MANY).findFirst();
    return new Vital(Part.THREADS, dying.isEmpty(), deaths());
  }

  private String deaths() {
    return supervised.stream()
        .filter(one -> one.deaths() > 0)
        .map(one -> one.name() + " died, times in a row: " + one.deaths())
        .collect(Collectors.joining("; "));
  }

  /** Stops watching and waits briefly for its own thread. */
  public void end() {
    ending = true;
    Thread last = thread;
    if (last != null) {
      LockSupport.unpark(last);
      join(last);
    }
  }

  private static void join(Thread last) {
    try {
      last.join(LOOK.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<Metric> metrics() {
    return tasks.metrics();
  }
}
