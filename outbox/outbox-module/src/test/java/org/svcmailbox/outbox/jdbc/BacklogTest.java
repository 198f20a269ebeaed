package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.publish.Headers;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.Published;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.test.concurrent.Deadline;

/** A backlog of 160 MiB. Nightly it has a million events. */
class BacklogTest {
  private static final int EVENTS = Integer.getInteger("outbox.backlog", 20_000);
  private static final int AGGREGATES = 1_000;

  /** Each publisher holds a claim of 8 MiB, and the rows that the driver reads ahead. */
  private static final long HEAP_BYTES = 32L << 20;

  private static final DataSource SOURCE = SharedPostgres.database("backlog");

  @Test
  void twoPublishersDrainItInOrderWithinBoundedMemory() throws Exception {
    OutboxSchema.migrate(SOURCE);
    fill();
    long before = liveBytes();
    CountingTopic topic = new CountingTopic();
    List<Thread> threads = new ArrayList<>();
    try (OutboxPublisher one = publisher(topic);
        OutboxPublisher other = publisher(topic)) {
      for (OutboxPublisher publisher : List.of(one, other)) {
        Thread thread = new Thread(publisher);
        threads.add(thread);
        thread.start();
      }
      Deadline patience = Deadline.in(Duration.ofMinutes(10));
      patience.await(() -> topic.events.get() > EVENTS / 2, () -> topic.events + " events");
      long held = liveBytes() - before;
      topic.measured.countDown();
      assertTrue(topic.events.get() < EVENTS, "drained before it was measured");
      assertTrue(held < HEAP_BYTES, () -> held + " bytes");
      patience.await(() -> topic.events.get() == EVENTS, () -> topic.events + " events");
      patience.await(
          () -> new JdbcBacklogs(SOURCE).outbox().count() == 0, () -> "events without a mark");
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(Map.of(), topic.outOfOrder);
    assertEquals(EVENTS, purge());
  }

  /** Deletes all, page by page, and returns how many rows there were. */
  private static int purge() {
    JdbcPurge purge = new JdbcPurge(SOURCE);
    int all = 0;
    int page;
    do {
      page = purge.outbox(Duration.ZERO);
      assertTrue(page <= JdbcPurge.MAX_ROWS, page + " rows");
      all += page;
    } while (page > 0);
    return all;
  }

  /** The payload of event i is its number in the aggregate, and 8 KiB. */
  private static void fill() throws SQLException {
    try (Connection connection = SOURCE.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox_events"
                    + " (id, aggregate_type, aggregate_id, event_type, payload, occurred_at)"
                    + " SELECT gen_random_uuid(), 'order', i % ?, 'paid',"
                    + " jsonb_build_array(i / ?, repeat('x', 8192)),"
                    + " NOW() - INTERVAL '1 day' + i * INTERVAL '1 millisecond'"
                    + " FROM generate_series(0, ? - 1) AS i")) {
      insert.setInt(1, AGGREGATES);
      insert.setInt(2, AGGREGATES);
      insert.setInt(3, EVENTS);
      insert.executeUpdate();
    }
  }

  private static OutboxPublisher publisher(CountingTopic topic) {
    return OutboxPublisher.builder(
            new JdbcOutboxStore(SOURCE),
            PublisherSettings.of("shop"),
            subject -> List.of("orders"),
            name -> topic::publish)
        .build();
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Counts events, half of which wait, and remembers the last number of each aggregate. */
  private static final class CountingTopic {
    private final AtomicInteger events = new AtomicInteger();
    private final CountDownLatch measured = new CountDownLatch(1);
    private final Map<String, Integer> last = new ConcurrentHashMap<>();
    private final Map<String, Integer> outOfOrder = new ConcurrentHashMap<>();

    CompletionStage<Published> publish(EventSubject subject, Payload payload, Headers headers) {
      String json = payload.json();
      int number = Integer.parseInt(json.substring(1, json.indexOf(',')));
      Integer previous = last.put(headers.aggregate(), number);
      if (number != (previous == null ? 0 : previous + 1)) {
        outOfOrder.put(headers.aggregate(), number);
      }
      if (events.incrementAndGet() > EVENTS / 2) {
        awaitMeasured();
      }
      return CompletableFuture.completedFuture(
          new Published(headers.messageId().toString(), false));
    }

    private void awaitMeasured() {
      try {
        measured.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
