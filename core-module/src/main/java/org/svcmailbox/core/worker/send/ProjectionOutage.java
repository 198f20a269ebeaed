package org.svcmailbox.core.worker.send;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.time.Ticker;

/**
 * Tells operators that a group's batch log is full: one line when it begins to refuse SENDs, and
 * one when it accepts them again. A line for each refused batch would mean hundreds a second.
 */
final class ProjectionOutage {
  private static final Logger LOG = System.getLogger(ProjectionOutage.class.getName());

  /** How long a log must not have been full before it counts as free again. */
  private static final Duration CALM = Duration.ofSeconds(5);

  private final WorkerId group;
  private final Ticker ticker;
  private boolean isFull;
  private boolean isRefusing;
  private long began;
  private long lastRefused;
  private long batches;
  private long sends;

  ProjectionOutage(WorkerId group, Ticker ticker) {
    this.group = group;
    this.ticker = ticker;
  }

  /** Whether the last batch of SENDs was refused. */
  boolean isFull() {
    return isRefusing;
  }

  void refused(int count) {
    isRefusing = true;
    lastRefused = ticker.nanos();
    if (!isFull) {
      isFull = true;
      began = lastRefused;
      batches = 0;
      sends = 0;
      LOG.log(Level.WARNING, "Group {0} refuses SENDs: the database does not follow", group);
    }
    batches++;
    sends += count;
  }

  void served() {
    isRefusing = false;
    if (isFull && ticker.nanos() - lastRefused >= CALM.toNanos()) {
      isFull = false;
      LOG.log(
          Level.INFO,
          "Group {0} takes SENDs again: its log was full for {1}, {2} SENDs in {3} batches were"
              + " refused",
          group,
          Duration.ofNanos(lastRefused - began),
          sends,
          batches);
    }
  }
}
