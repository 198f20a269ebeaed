package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.Projector;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;

/** The thread that writes confirmed batches into the database. Each new batch wakes it. */
final class ProjectorThread {
  private static final Logger LOG = System.getLogger(ProjectorThread.class.getName());

  /** How long the last projection at shutdown may take. */
  private static final Duration LAST = Duration.ofSeconds(1);

  private final Projector projector;
  private final Turns turns;
  private final Tasks tasks = new Tasks("projector");
  private @Nullable SupervisedThread thread;

  ProjectorThread(Projector projector) {
    this.projector = projector;
    this.turns = new Turns(projector::step);
    projector.onWork(turns::wake);
  }

  void start(Supervision supervision, ThreadFactory factory) {
    thread = supervision.start("mailbox-projector", tasks, factory, turns);
  }

  /** Brings the database up to date if possible; otherwise the next start does. */
  void end() {
    SupervisedThread started = thread;
    if (started != null) {
      if (!projector.awaitAll(LAST)) {
        LOG.log(Level.WARNING, "The database is behind; the next start brings it up to date");
      }
      started.end(LAST);
    }
  }

  List<Metric> metrics() {
    return tasks.metrics();
  }
}
