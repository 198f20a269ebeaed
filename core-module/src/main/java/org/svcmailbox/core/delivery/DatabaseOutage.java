package org.svcmailbox.core.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * The log of a worker's database: one line when it begins to fail and one when it serves again. A
 * line for each refused batch would be hundreds a second. Part of one worker.
 */
final class DatabaseOutage {
  private static final Logger LOG = System.getLogger(DatabaseOutage.class.getName());

  /** A database that fails every now and then is away until it has not failed for so long. */
  private static final Duration CALM = Duration.ofSeconds(5);

  private final int worker;
  private final Ticker ticker;
  private boolean isAway;
  private long began;
  private long lastRefused;
  private long batches;
  private long sends;

  DatabaseOutage(int worker, Ticker ticker) {
    this.worker = worker;
    this.ticker = ticker;
  }

  /** A batch of SENDs was refused. */
  void refused(int count, String why) {
    lastRefused = ticker.nanos();
    if (!isAway) {
      isAway = true;
      began = lastRefused;
      batches = 0;
      sends = 0;
      LOG.log(Level.WARNING, "Worker {0} refuses SENDs, the database is away: {1}", worker, why);
    }
    batches++;
    sends += count;
  }

  /** The database did what a batch of SENDs needs. */
  void served() {
    if (isAway && ticker.nanos() - lastRefused >= CALM.toNanos()) {
      isAway = false;
      LOG.log(
          Level.INFO,
          "Worker {0} takes SENDs again: the database failed for {1}, {2} SENDs in {3} batches were"
              + " refused",
          worker,
          Duration.ofNanos(lastRefused - began),
          sends,
          batches);
    }
  }
}
