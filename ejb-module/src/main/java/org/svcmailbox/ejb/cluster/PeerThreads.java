package org.svcmailbox.ejb.cluster;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.core.metrics.Tasks;

/** The threads that take the answers of other nodes, and with them end the calls of clients. */
final class PeerThreads {
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** The most waiting tasks; a frame has a few at a time, and four frames a peer are under way. */
  private static final int QUEUED = 1_024;

  private final Tasks tasks = new Tasks("peer");
  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor pool;

  PeerThreads(ThreadFactory factory) {
    int most = Math.max(2, Runtime.getRuntime().availableProcessors());
    pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUED),
            task -> named(factory, task),
            // On the thread of the client's selector: no task blocks.
            (task, full) -> task.run());
    pool.allowCoreThreadTimeOut(true);
  }

  private Thread named(ThreadFactory factory, Runnable task) {
    Thread thread = factory.newThread(task);
    if (thread == null) {
      throw new IllegalStateException("the server has no thread for answers of other nodes");
    }
    thread.setName("mailbox-peer-" + number.incrementAndGet());
    tasks.spawned();
    return thread;
  }

  Executor executor() {
    return pool;
  }

  Tasks tasks() {
    return tasks;
  }

  /** Ends all threads; whatever does not end in time is abandoned. */
  void end(Duration patience) {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        tasks.aborted();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
