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

/** A supervised thread that runs one action at regular intervals. */
final class RegularThread {
  private static final Duration LAST = Duration.ofSeconds(1);

  private final String name;
  private final Tasks tasks;
  private final Turns turns;
  private @Nullable SupervisedThread thread;

  /**
   * @param kind the kind of task in metrics
   */
  RegularThread(String name, String kind, Duration interval, Runnable turn) {
    this.name = name;
    this.tasks = new Tasks(kind);
    this.turns =
        new Turns(
            () -> {
              turn.run();
              return interval.toNanos();
            });
  }

  void start(Supervision supervision, ThreadFactory factory) {
    thread = supervision.start(name, tasks, factory, turns);
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
