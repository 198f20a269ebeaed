package org.svcmailbox.core.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.svcmailbox.core.batch.WorkerId;

/**
 * The workers that lack their broker session. Logs each reason once for all of them, and once that
 * all are back; the level DEBUG has the rest. Any thread.
 */
final class LostSessions {
  private static final Logger LOG = System.getLogger(LostSessions.class.getName());

  /** Reasons logged until all are back; they differ by what a worker asked when the broker went. */
  private static final int MOST_REASONS = 16;

  private final Set<WorkerId> without = new HashSet<>();
  private final Set<String> reasons = new HashSet<>();

  /** Records a lost session, or another failed attempt to open one. */
  synchronized void lost(WorkerId worker, String why) {
    without.add(worker);
    boolean isNew = reasons.size() < MOST_REASONS && reasons.add(why);
    Level level = isNew ? Level.WARNING : Level.DEBUG;
    LOG.log(level, "Worker {0} has no broker session: {1}", worker, why);
  }

  /** Records an opened session. */
  synchronized void opened(WorkerId worker) {
    if (without.remove(worker) && without.isEmpty()) {
      reasons.clear();
      LOG.log(Level.INFO, "All workers have a broker session again");
    }
  }
}
