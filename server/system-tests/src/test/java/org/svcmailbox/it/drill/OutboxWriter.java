package org.svcmailbox.it.drill;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.svcmailbox.it.drill.WrittenEvent.Fate;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;

/**
 * Threads of an application that record events: some transactions are rolled back, some commit long
 * after others that began later, and the database dies during some commits.
 */
final class OutboxWriter {
  /** The kind of all its aggregates. */
  static final String AGGREGATE = "order";

  private static final int ORDERS = 40;
  private static final int THREADS = 4;
  private static final int MOST_OPEN = 3;
  private static final int LONGEST_PAUSE_MILLIS = 60;
  private static final int MOST_WAITING = 200;
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration END = Duration.ofSeconds(60);

  private final DataSource source;
  private final IntSupplier handled;
  private final Map<String, WrittenEvent> written = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger committed = new AtomicInteger();
  private volatile boolean ended;

  /** A transaction that has recorded its events and not ended. */
  private record Open(Connection connection, Map<String, WrittenEvent> events) {}

  /**
   * A writer that has recorded nothing.
   *
   * @param handled how many of its events are handled; it does not run far ahead of that
   */
  OutboxWriter(DataSource source, IntSupplier handled) {
    this.source = source;
    this.handled = handled;
  }

  void start(Random random) {
    for (int i = 0; i < THREADS; i++) {
      Random choices = new Random(random.nextLong());
      Thread thread = new Thread(() -> write(choices), "writer-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Returns when every transaction has ended. The database must answer. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join(END.toMillis());
      if (thread.isAlive()) {
        throw new AssertionError(thread + " has not ended");
      }
    }
  }

  /** All events so far, by id. */
  Map<String, WrittenEvent> written() {
    return Map.copyOf(written);
  }

  private void write(Random random) {
    Queue<Open> late = new ArrayDeque<>();
    while (!ended) {
      if (committed.get() - handled.getAsInt() < MOST_WAITING) {
        begin(random).ifPresent(open -> endNowOrLate(open, late, random));
      }
      if (!late.isEmpty() && random.nextInt(8) == 0) {
        end(late.remove(), random);
      }
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)).toNanos());
    }
    late.forEach(open -> end(open, random));
  }

  private void endNowOrLate(Open open, Queue<Open> late, Random random) {
    if (late.size() < MOST_OPEN && random.nextInt(6) == 0) {
      late.add(open);
    } else {
      end(open, random);
    }
  }

  /** Records up to three events. A transaction that fails before its commit has none. */
  private Optional<Open> begin(Random random) {
    Map<String, WrittenEvent> events = new LinkedHashMap<>();
    try {
      Connection connection = source.getConnection();
      try {
        connection.setAutoCommit(false);
        Outbox outbox = JdbcOutbox.of(connection);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
          record(outbox, random, events);
        }
        return Optional.of(new Open(connection, events));
      } catch (SQLException | RuntimeException e) {
        note(events, Fate.ROLLED_BACK);
        close(connection);
      }
    } catch (SQLException e) {
      LockSupport.parkNanos(RETRY.toNanos());
    }
    return Optional.empty();
  }

  private static void record(Outbox outbox, Random random, Map<String, WrittenEvent> events) {
    String order = "order-" + random.nextInt(ORDERS);
    MessageId id = MessageId.next();
    int answer = random.nextInt(40) == 0 ? WrittenEvent.POISON : WrittenEvent.PROCESSED;
    events.put(id.toString(), new WrittenEvent(order, answer, Fate.ROLLED_BACK));
    MessageId unused =
        outbox.record(
            NewEvent.of(AGGREGATE, order, "placed", OutboxHandler.payload(answer, random))
                .withId(id));
  }

  private void end(Open open, Random random) {
    boolean commits = random.nextInt(6) != 0;
    try {
      if (commits) {
        open.connection().commit();
      } else {
        open.connection().rollback();
      }
      note(open.events(), commits ? Fate.COMMITTED : Fate.ROLLED_BACK);
      committed.addAndGet(commits ? open.events().size() : 0);
    } catch (SQLException e) {
      note(open.events(), commits ? Fate.UNKNOWN : Fate.ROLLED_BACK);
    }
    close(open.connection());
  }

  private static void close(Connection connection) {
    try (connection) {
      if (!connection.isClosed() && !connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // It went with its database.
    }
  }

  private void note(Map<String, WrittenEvent> events, Fate fate) {
    events.forEach(
        (id, event) -> written.put(id, new WrittenEvent(event.order(), event.answer(), fate)));
  }

  /** Records an event of an order in a transaction without faults, and returns its id. */
  String recordCalmly(String order) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      MessageId id =
          JdbcOutbox.of(connection)
              .record(NewEvent.of(AGGREGATE, order, "placed", OutboxHandler.CALM));
      connection.commit();
      return id.toString();
    }
  }
}
