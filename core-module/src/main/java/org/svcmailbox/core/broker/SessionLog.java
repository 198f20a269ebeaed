package org.svcmailbox.core.broker;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * A worker's batch log as one {@link BrokerSession} has it. The broker gives the log to one session
 * at a time; others wait. Changes take part in the session's transaction, and a failure costs the
 * session with all of its logs. Owned by the session's thread.
 */
public interface SessionLog {
  /**
   * Receives new entries, in order; they are held until acknowledged.
   *
   * <p>An entry acknowledged in a transaction is invisible until that ends, however its session
   * ended: a commit removes it, a rollback returns it. Once another session has received it, no
   * earlier transaction that acknowledges it can commit.
   *
   * @param atMost how long to wait for the first one; zero for no wait
   */
  List<BatchLogEntry> receive(Duration atMost);

  /** Messages that {@link #receive} left out, because they are not intact entries; held too. */
  List<DamagedEntry> damaged();

  /** Stages the removal of the messages of {@link #damaged}. */
  void acknowledgeDamaged();

  /** Stages a change: acknowledges entries that the session holds, and appends others. */
  void stage(BatchLog.Change change);

  /**
   * Gives the log with all held entries to the next session, while this one goes on. Only between
   * transactions, and after {@link BrokerSession#release} of the worker's shards. Afterwards every
   * method throws {@link UnavailableException}.
   */
  void release();
}
