package org.svcmailbox.core.worker.send;

import java.util.random.RandomGenerator;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * Dependencies of the workers' batch logs.
 *
 * @param window the size of each worker's batch log
 * @param life identifies this process; every process has another one
 */
public record BatchLogPorts(SendRegistry registry, BatchLog.Window window, long life) {
  /** Divides the space for all logs among the workers. */
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

  /** A worker's batch log before anything has arrived. */
  BatchLog log() {
    return new BatchLog(window, life);
  }
}
