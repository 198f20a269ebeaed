package org.svcmailbox.core.worker.send;

import java.util.random.RandomGenerator;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * Dependencies of the workers' batch logs.
 *
 * @param window how large each worker's batch log is
 * @param life of this process, another one for each
 */
public record BatchLogPorts(SendRegistry registry, BatchLog.Window window, long life) {
  /** Divides what all logs may take among the workers. */
  public static BatchLogPorts of(
      SendRegistry registry, MailboxSettings settings, RandomGenerator random) {
    MailboxSettings.Projection all = settings.projection();
    int workers = settings.workers();
    return new BatchLogPorts(
        registry,
        new BatchLog.Window(
            Math.max(BatchLogEntry.LEAST, all.entries() / workers), all.bytes() / workers),
        random.nextLong());
  }

  /** A worker's batch log of which nothing has arrived. */
  BatchLog log() {
    return new BatchLog(window, life);
  }
}
