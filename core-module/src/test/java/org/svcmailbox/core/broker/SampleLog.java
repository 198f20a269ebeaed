package org.svcmailbox.core.broker;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.WorkerId;

/** A worker's batch log of batches, for tests of adapters. */
public final class SampleLog {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Small, so that tests see it full. */
  public static final BatchLog.Window WINDOW = new BatchLog.Window(64, 1 << 20);

  static final long LIFE = 7;

  private final SessionLog session;
  private final BatchLog log = new BatchLog(WINDOW, LIFE);

  private SampleLog(SessionLog session) {
    this.session = session;
  }

  /** Worker 0's log in a session, as far as it has arrived. */
  public static SampleLog of(BrokerSession session) {
    return of(session, 0);
  }

  /** As above, of another worker. */
  public static SampleLog of(BrokerSession session, int worker) {
    return new SampleLog(session.log(WorkerId.of(worker)));
  }

  /** A new session, and a worker's log if there is none. */
  public static BrokerSession open(Broker broker, int worker) {
    WorkerId id = WorkerId.of(worker);
    if (!broker.hasLog(id)) {
      broker.makeLog(id, BatchId.NONE);
    }
    return broker.open();
  }

  /** The last batch that the broker has of a worker without a session. */
  public static long lastBatch(Broker broker, int worker) {
    try (BrokerSession session = open(broker, worker)) {
      return of(session, worker).lastBatch();
    }
  }

  /** Whether the log is whole, or becomes so. */
  public boolean isWhole(Duration patience) {
    receive(patience);
    return log.isWhole();
  }

  /** The last batch that the broker has, once the log is whole. */
  public long lastBatch() {
    receive(PATIENCE);
    return log.lastBatch().number();
  }

  private void receive(Duration atMost) {
    log.receive(session::receive, System::nanoTime, atMost);
  }

  /** Stages a batch. */
  public void append(long batchNo) {
    receive(PATIENCE);
    stage(session, log, batchNo);
  }

  /** Stages a batch without pages; the database has the one before. */
  static void stage(SessionLog session, BatchLog log, long batchNo) {
    session.stage(
        log.append(SampleBatch.id(batchNo), BatchPages.of(List.of()), SampleBatch.id(batchNo - 1)));
  }
}
