package org.svcmailbox.undertow.threads;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on a few of another executor's threads, plus one more for each of these that is stuck
 * in its task. A pool that wakes a thread for each task spends more on waking than short tasks
 * take. A small pool stops when a few clients send or read slowly.
 *
 * <p>A runner takes tasks until there are none. Adding a task starts a runner if there are fewer
 * than {@code few}; otherwise it checks again after {@link #PATIENCE}. Unbounded: the number of
 * connections limits the number of tasks.
 */
final class FewThreads implements Executor {
  /** The threads that run tasks, and time. */
  interface Platform {
    /**
     * Runs an action on a thread of its own.
     *
     * @throws RejectedExecutionException if there may be no more threads
     */
    void start(Runnable runner);

    /** Runs a short action after {@code delay}, on any thread. */
    void later(Runnable look, Duration delay);

    /** Nanoseconds on a monotonic clock. */
    long nanos();
  }

  /** A task that takes longer counts as stuck. */
  static final Duration PATIENCE = Duration.ofMillis(10);

  private static final Logger LOG = System.getLogger(FewThreads.class.getName());

  private final Platform platform;
  private final int few;
  private final int most;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Set<Runner> runners = ConcurrentHashMap.newKeySet();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean watched = new AtomicBoolean();

  /**
   * Starts without a thread.
   *
   * @param few the most threads while none is stuck
   * @param most the most threads, however many are stuck
   */
  FewThreads(Platform platform, int few, int most) {
    this.platform = platform;
    this.few = few;
    this.most = Math.max(few, most);
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    try {
      if (!startOne(few)) {
        watch();
      }
    } catch (RejectedExecutionException e) {
      // Unless a runner already has it, or will have it.
      if (tasks.remove(task)) {
        throw e;
      }
    }
  }

  /** The number of threads with something to do. */
  int running() {
    return running.get();
  }

  private boolean startOne(int limit) {
    boolean isAllowed = enter(limit);
    if (isAllowed) {
      start();
    }
    return isAllowed;
  }

  /** Counts one more runner, if there are then at most {@code limit}. */
  private boolean enter(int limit) {
    int before = running.get();
    while (before < limit) {
      if (running.compareAndSet(before, before + 1)) {
        return true;
      }
      before = running.get();
    }
    return false;
  }

  private void start() {
    try {
      platform.start(new Runner());
    } catch (RejectedExecutionException e) {
      running.decrementAndGet();
      throw e;
    }
  }

  private void watch() {
    if (!tasks.isEmpty() && watched.compareAndSet(false, true)) {
      platform.later(this::look, PATIENCE);
    }
  }

  private void look() {
    watched.set(false);
    long now = platform.nanos();
    long stuck = runners.stream().filter(runner -> runner.isStuck(now)).count();
    int limit = (int) Math.min(most, few + stuck);
    try {
      int wanted = tasks.size();
      while (wanted > 0 && startOne(limit)) {
        wanted--;
      }
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "No thread for requests that wait: {0}", e.getMessage());
    }
    watch();
  }

  /** The turn of one thread. */
  private final class Runner implements Runnable {
    private volatile long since = platform.nanos();

    boolean isStuck(long now) {
      return now - since > PATIENCE.toNanos();
    }

    @Override
    public void run() {
      runners.add(this);
      RequestThreads.enter();
      try {
        do {
          work();
          running.decrementAndGet();
          // A task may have arrived after the last check, from a caller that still counted this
          // runner.
        } while (!tasks.isEmpty() && enter(few));
      } finally {
        RequestThreads.leave();
        runners.remove(this);
      }
    }

    private void work() {
      Runnable task;
      while ((task = tasks.poll()) != null) {
        since = platform.nanos();
        run(task);
      }
    }

    private void run(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // As a pool's thread would: report it, and be ready for the next task.
        LOG.log(Level.ERROR, "A request's task failed", e);
      }
    }
  }
}
