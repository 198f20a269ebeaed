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
 * Runs tasks on a few of another executor's threads, and on one more for each of those that is
 * stuck in its task. A pool that wakes a thread for each task spends more on waking than short
 * tasks take. A small one stands still when a few clients send or read slowly.
 *
 * <p>A runner takes tasks until there are none. Adding a task starts a runner if fewer than {@code
 * few} are there, else it looks again after {@link #PATIENCE}. Unbounded: the number of tasks is
 * bounded by that of connections.
 */
final class FewThreads implements Executor {
  /** The threads and the time that tasks run on. */
  interface Platform {
    /**
     * Runs something on a thread of its own.
     *
     * @throws RejectedExecutionException when there are to be no more threads
     */
    void start(Runnable runner);

    /** Runs something short after {@code delay}, on any thread. */
    void later(Runnable look, Duration delay);

    /** Nanoseconds on a monotonic clock. */
    long nanos();
  }

  /** After this a task counts as stuck. */
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
   * An executor without a thread of its own.
   *
   * @param few threads while none is stuck
   * @param most threads however many are stuck
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
      // Unless a runner has it already, or will have.
      if (tasks.remove(task)) {
        throw e;
      }
    }
  }

  /** How many threads have something to do. */
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

  /** Counts one runner more, if that makes no more than {@code limit}. */
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

  /** One thread's turn. */
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
          // A task may have come after the last look, from someone who still counted this runner.
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
        // As a pool's thread would: report it, and be there for the next task.
        LOG.log(Level.ERROR, "A request's task failed", e);
      }
    }
  }
}
