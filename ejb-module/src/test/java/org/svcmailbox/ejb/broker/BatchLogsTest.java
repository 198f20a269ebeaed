package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerAccess.Login;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerState;
import org.svcmailbox.ejb.link.Connection;

/** A worker's log is begun once, whatever its sessions do meanwhile. */
final class BatchLogsTest {
  private static final int ENTRIES = LogEntry.seed(BatchId.NONE).size();
  private static final int TIMES = 5_000;
  private static final long SOON_MILLIS = 10_000;

  @Test
  void aLogWhoseEntriesAreGivenBackIsNotBegunAgain(@TempDir Path directory) throws Exception {
    try (ListeningBroker broker = new ListeningBroker(directory, false, same -> {});
        BrokerConnections connections = new BrokerConnections(access(broker));
        BrokerAdmin admin = new BrokerAdmin(connections);
        Connection holder = connections.open(false)) {
      BatchLogs logs = new BatchLogs(connections, admin);
      SimpleString log = logs.prepare(0);
      holder.session().start();
      List<Long> first = takeAndGiveBack(holder, log);
      CompletableFuture<Void> preparing =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  prepare(logs);
                }
              });
      while (!preparing.isDone()) {
        assertEquals(first, takeAndGiveBack(holder, log));
      }
      preparing.join();
      assertEquals(ENTRIES, admin.countMessages(log));
    }
  }

  private static void prepare(BatchLogs logs) {
    try {
      SimpleString unused = logs.prepare(0);
    } catch (UnavailableException whileNoneIsCounted) {
      // A worker tries again.
      return;
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

  private static BrokerAccess access(ListeningBroker broker) {
    return new BrokerAccess(
        broker.locator(),
        () -> new Login(ListeningBroker.USER, ListeningBroker.PASSWORD),
        () -> null,
        new BrokerState());
  }
}
