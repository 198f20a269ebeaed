package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.core.worker.WorkerPool;

/** The thread that answers callers in place of workers that wait for the broker. */
final class WatchThread {
  private static final Duration LAST = Duration.ofSeconds(1);

  private final WorkerPool workers;
  private final RecvIntake recvs;
  private final Turns turns = new Turns(this::turn);
  private final Tasks tasks = new Tasks("watch");
  private @Nullable SupervisedThread thread;

  WatchThread(WorkerPool workers, RecvIntake recvs) {
    this.workers = workers;
    this.recvs = recvs;
  }

  void start(Supervision supervision, ThreadFactory factory) {
    thread = supervision.start("mailbox-watch", tasks, factory, turns);
  }

  private long turn() {
    look();
    return WorkerPool.WATCH_EVERY.toNanos();
  }

  /** One turn, for tests, which start no threads. */
  void look() {
    if (workers.look()) {
      recvs.endDue();
    }
  }

  void end() {
    SupervisedThread started = thread;
    if (started != null) {
      started.end(LAST);
    }
  }

  List<Metric> metrics() {
    return tasks.metrics();
  }
}
