package org.svcmailbox.client.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.client.Mailbox;

/** The threads that extend leases. */
final class LeaseThreads {
  /** The most threads, however many workers the loop has. */
  static final int MAX = 64;

  /** The calls of one batch that can be out if none is answered: four before each of two ends. */
  private static final int ATTEMPTS = 8;

  /** Batches that are not full, because their leases began at other times. */
  private static final int PHASES = 3;

  private static final long IDLE_SECONDS = 10;

  private LeaseThreads() {}

  /**
   * Daemons that end when idle. There is no queue: a task for which there is no thread is refused,
   * and its leases are tried again a little later.
   */
  static Executor of(Mailbox<?, ?> mailbox, int workers) {
    return new ThreadPoolExecutor(
        0,
        most(workers, mailbox.maxExtensions()),
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "mailbox-" + mailbox.name() + "-lease");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Enough for every batch, even if connections freeze. A worker may hold two messages. */
  static int most(int workers, int batch) {
    long leases = 2L * workers;
    long batches = (leases + batch - 1) / batch + PHASES;
    return (int) Math.min(MAX, ATTEMPTS * Math.min(leases, batches));
  }
}
