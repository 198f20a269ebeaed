package org.svcmailbox.core.redrive;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Tasks;

/** The one thread that does the turns of all jobs. */
public final class JobThread implements Runnable {
  private static final Logger LOG = System.getLogger(JobThread.class.getName());

  /** For the turn that is under way. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Redrive redrive;
  private final Tasks tasks = new Tasks("dlq_jobs");
  private volatile boolean stopping;
  private volatile @Nullable Thread thread;

  public JobThread(Redrive redrive) {
    this.redrive = redrive;
  }

  /** Begins, on a thread of {@code factory}. */
  public void start(ThreadFactory factory) {
    Thread made = factory.newThread(this);
    thread = made;
    redrive.onWork(() -> LockSupport.unpark(made));
    tasks.spawned();
    made.start();
  }

  /** What becomes of it, as it is counted. */
  public Tasks tasks() {
    return tasks;
  }

  @Override
  public void run() {
    while (!stopping) {
      LockSupport.parkNanos(redrive.step());
    }
  }

  /** Ends it after the turn that is under way; done once. */
  public void stop() {
    Thread running = thread;
    if (running == null || stopping) {
      return;
    }
    stopping = true;
    LockSupport.unpark(running);
    try {
      running.join(GRACE.toMillis());
      if (running.isAlive()) {
        LOG.log(Level.WARNING, "{0} did not end in time and is left behind", running.getName());
        tasks.aborted();
      } else {
        tasks.canceled();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
