package org.svcmailbox.worker.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.IntSupplier;
import org.svcmailbox.outbox.jdbc.JdbcPurge;
import org.svcmailbox.worker.config.WorkerSettings.Retention;

/** Deletes old finished rows, a thousand at a time, until nothing is left. */
final class Maintenance implements Runnable {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());

  private final JdbcPurge purge;
  private final Retention retention;

  Maintenance(JdbcPurge purge, Retention retention) {
    this.purge = purge;
    this.retention = retention;
  }

  @Override
  public void run() {
    try {
      int events = all(() -> purge.outbox(retention.outbox()));
      int messages =
          all(() -> purge.inbox(retention.inbox()))
              + all(() -> purge.deadLetters(retention.inbox()));
      int changes = all(() -> purge.audit(retention.audit()));
      if (events + messages + changes > 0) {
        LOG.log(
            Level.INFO,
            "Purged {0} events, {1} messages and {2} rows of outbox_audit",
            events,
            messages,
            changes);
      }
    } catch (RuntimeException e) {
      // Rethrowing would end the schedule; the next turn continues.
      LOG.log(Level.WARNING, "The purge failed; the next turn repeats it", e);
    }
  }

  private static int all(IntSupplier step) {
    int all = 0;
    int some = JdbcPurge.MAX_ROWS;
    while (some == JdbcPurge.MAX_ROWS && !Thread.currentThread().isInterrupted()) {
      some = step.getAsInt();
      all += some;
    }
    return all;
  }
}
