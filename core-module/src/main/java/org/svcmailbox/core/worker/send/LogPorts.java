package org.svcmailbox.core.worker.send;

import java.util.random.RandomGenerator;
import org.svcmailbox.core.sendlog.BatchLog;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * Dependencies of the workers' logs.
 *
 * @param window how large each worker's log is
 * @param life of this process, another one for each
 */
public record LogPorts(SendLog sendLog, BatchLog.Window window, long life) {
  /** Divides what all logs may take among the workers. */
  public static LogPorts of(SendLog sendLog, MailboxSettings settings, RandomGenerator random) {
    MailboxSettings.Projection all = settings.projection();
    int workers = settings.workers();
    return new LogPorts(
        sendLog,
        new BatchLog.Window(
            Math.max(LogEntry.LEAST, all.entries() / workers), all.bytes() / workers),
        random.nextLong());
  }

  /** A worker's log of which nothing has arrived. */
  BatchLog log() {
    return new BatchLog(window, life);
  }
}
