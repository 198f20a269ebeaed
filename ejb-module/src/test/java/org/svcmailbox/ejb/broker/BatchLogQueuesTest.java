package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;
import org.svcmailbox.test.concurrent.Deadline;

/** A worker's batch log is there, whatever its sessions do meanwhile. */
@SuppressWarnings("NullAway.Init")
final class BatchLogQueuesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final WorkerId WORKER = WorkerId.of(0);
  private static final SimpleString LOG = QueueNames.log(WORKER);
  private static final int ENTRIES = BatchLogEntry.seed(BatchId.NONE).size();
  private static final int TIMES = 5_000;
  private static final long SOON_MILLIS = 10_000;

  @TempDir private Path directory;

  private final AtomicLong nanos = new AtomicLong();
  private ListeningBroker broker;
  private BrokerConnections connections;
  private BrokerAdmin admin;
  private BatchLogQueues logs;

  @BeforeEach
  void start() {
    broker = new ListeningBroker(directory, false, same -> {});
    connections = new BrokerConnections(broker.access());
    admin = new BrokerAdmin(connections);
    logs = new BatchLogQueues(connections, admin, nanos::get, nanos::addAndGet);
  }

  @AfterEach
  void end() {
    admin.close();
    connections.close();
    broker.close();
  }

  @Test
  void aLogWhoseEntriesAreGivenBackIsThere() throws Exception {
    try (Connection holder = connections.open(false)) {
      // Its ten seconds never end.
      BatchLogQueues spinning = new BatchLogQueues(connections, admin, () -> 0, slept -> {});
      spinning.make(WORKER, BatchId.NONE);
      holder.session().start();
      List<Long> first = takeAndGiveBack(holder, LOG);
      CompletableFuture<Void> looking =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  assertTrue(spinning.has(WORKER));
                }
              });
      while (!looking.isDone()) {
        assertEquals(first, takeAndGiveBack(holder, LOG));
      }
      looking.join();
      assertEquals(ENTRIES, admin.queues().countMessages(LOG));
    }
  }

  /** As a crash leaves it between the queue and its first entries. */
  @Test
  void aLogThatStaysEmptyForTenSecondsIsNotThereAndCanBeMade() {
    admin.queues().createExclusive(LOG);
    assertFalse(logs.has(WORKER));
    assertEquals(Duration.ofSeconds(10).toNanos(), nanos.get());
    logs.make(WORKER, BatchId.NONE);
    assertTrue(logs.has(WORKER));
    Deadline.in(PATIENCE)
        .await(
            () -> admin.queues().countMessages(LOG) == ENTRIES,
            () -> admin.queues().countMessages(LOG) + " entries");
  }

  @Test
  void aLogWhoseEntriesComeBackInTheLastMomentIsThere() {
    BatchLogQueues late =
        new BatchLogQueues(
            connections,
            admin,
            nanos::get,
            slept -> {
              if (nanos.addAndGet(slept) == BrokerAdmin.EMPTY_FOR.toNanos()) {
                send(LOG);
                // The broker counts a message shortly after its commit was answered.
                Deadline.in(PATIENCE)
                    .await(() -> admin.queues().countMessages(LOG) == 1, () -> "the entry");
              }
            });
    admin.queues().createExclusive(LOG);
    assertTrue(late.has(WORKER));
    assertEquals(1, admin.queues().countMessages(LOG));
  }

  @Test
  void aQueueThatIsNotThereIsNotWaitedFor() {
    assertFalse(logs.has(WORKER));
    assertEquals(0, nanos.get());
  }

  private void send(SimpleString log) {
    try (Connection connection = connections.open(true);
        ClientProducer producer = connection.session().createProducer(log)) {
      producer.send(connection.session().createMessage(true));
      connection.session().commit();
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the broker's numbers of the entries. */
  private static List<Long> takeAndGiveBack(Connection holder, SimpleString log) throws Exception {
    List<Long> numbers = new ArrayList<>();
    try (ClientConsumer consumer = holder.session().createConsumer(log)) {
      for (int i = 0; i < ENTRIES; i++) {
        ClientMessage entry = consumer.receive(SOON_MILLIS);
        numbers.add(entry == null ? -1 : entry.getMessageID());
      }
    }
    return numbers;
  }
}
