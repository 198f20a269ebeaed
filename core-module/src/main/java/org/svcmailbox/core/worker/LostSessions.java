package org.svcmailbox.core.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.supervision.OutageReasons;

/**
 * The workers that lack their broker session. Logs each reason once for all of them, and once that
 * all are back; the level DEBUG has the rest. Any thread.
 */
final class LostSessions {
  private static final Logger LOG = System.getLogger(LostSessions.class.getName());

  private final Set<WorkerId> without = new HashSet<>();
  private final OutageReasons reasons = new OutageReasons();

  /** Records a lost session, or another failed attempt to open one. */
  synchronized void lost(WorkerId worker, String why) {
    without.add(worker);
    Level level = reasons.add(why) ? Level.WARNING : Level.DEBUG;
    LOG.log(level, "Worker {0} has no broker session: {1}", worker, why);
  }

  /** Records an opened session. */
  synchronized void opened(WorkerId worker) {
    if (without.remove(worker) && without.isEmpty() && reasons.end()) {
      LOG.log(Level.INFO, "All workers have a broker session again");
    }
  }
}
