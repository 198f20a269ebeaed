package org.svcmailbox.bench.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.concurrent.TimeUnit;

/**
 * The documented flush loop of gruelbox. Its executor lets the loop run calls when the queue is
 * full; the default one drops them for two minutes.
 */
final class GruelboxDrain implements OutboxDrain {
  private static final int QUEUE = 8_192;
  private static final long PATIENCE_SECONDS = 600;

  /** Copies the only row, due for a minute. */
  private static final String COPIES =
      "INSERT INTO txno_outbox (id, invocation, nextattempttime, attempts, blocked,"
          + " version, processed) SELECT CAST(gen_random_uuid() AS text), invocation, now() - interval '1 minute', 0,"
          + " false, 1, false FROM txno_outbox, generate_series(1, ?)";

  private final OutboxDatabase database;
  private final int threads;

  /**
   * @param threads threads that call and delete
   */
  GruelboxDrain(OutboxDatabase database, int threads) {
    this.database = database;
    this.threads = threads;
  }

  @Override
  public void fill(int events) throws Exception {
    Gruelbox gruelbox = new Gruelbox(database.source(), task -> {}, json -> {});
    database.execute("TRUNCATE txno_outbox");
    gruelbox.transact(connection -> {}, OutboxOrders.json(1));
    try (Connection connection = database.source().getConnection();
        PreparedStatement copies = connection.prepareStatement(COPIES)) {
      copies.setInt(1, events);
      copies.executeUpdate();
    }
    database.execute(
        "DELETE FROM txno_outbox WHERE nextattempttime > CURRENT_TIMESTAMP + interval '1 second'");
    database.settle("txno_outbox");
  }

  @Override
  public double drain(int events) throws Exception {
    CountDownLatch called = new CountDownLatch(events);
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            new CallerRunsPolicy());
    try {
      Gruelbox gruelbox = new Gruelbox(database.source(), executor, json -> called.countDown());
      long start = System.nanoTime();
      while (gruelbox.flush()) {
        // Flush has done the work.
      }
      executor.shutdown();
      if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS) || called.getCount() > 0) {
        throw new IllegalStateException(called.getCount() + " calls are missing");
      }
      return events / ((System.nanoTime() - start) / 1e9);
    } finally {
      executor.shutdownNow();
    }
  }
}
