package org.svcmailbox.core.worker.send;

import java.util.random.RandomGenerator;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.worker.state.GroupsHere;

/**
 * Dependencies of the groups' batch logs.
 *
 * @param here the groups of this process
 * @param window the size of each group's batch log
 * @param life identifies this process; every process has another one
 */
public record BatchLogPorts(
    SendRegistry registry, GroupsHere here, BatchLog.Window window, long life) {
  /** Divides the space for all logs among the groups. */
  public static BatchLogPorts of(
      SendRegistry registry, MailboxSettings settings, GroupsHere here, RandomGenerator random) {
    MailboxSettings.Projection all = settings.projection();
    int logs = here.among().count();
    return new BatchLogPorts(
        registry,
        here,
        new BatchLog.Window(
            Math.max(BatchLogEntry.LEAST, all.entries() / logs), all.bytes() / logs),
        random.nextLong());
  }

  /** A group's batch log before anything has arrived. */
  BatchLog log() {
    return new BatchLog(window, life);
  }
}
