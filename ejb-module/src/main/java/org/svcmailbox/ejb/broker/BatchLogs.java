package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.LogCodec;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/** Makes the queues of workers' logs. Each worker's is prepared by one thread at a time. */
final class BatchLogs {
  /** Longer than the broker keeps a session of a service that is gone. */
  static final Duration EMPTY_FOR = Duration.ofSeconds(10);

  private final BrokerConnections connections;
  private final BrokerAdmin admin;
  private final LongSupplier nanoTime;
  private final Map<Integer, Emptiness> emptiness = new ConcurrentHashMap<>();

  /** Since when a log has counted nothing, as told over one connection. */
  private record Emptiness(Object connection, long since) {}

  BatchLogs(BrokerConnections connections, BrokerAdmin admin, LongSupplier nanoTime) {
    this.connections = connections;
    this.admin = admin;
    this.nanoTime = nanoTime;
  }

  /**
   * Makes a worker's log if it has none.
   *
   * @return its queue
   * @throws UnavailableException while a log that counts nothing may yet have entries
   */
  SimpleString prepare(int worker) {
    SimpleString log = QueueNames.log(worker);
    if (admin.countMessages(log) == 0) {
      if (admin.exists(log)) {
        requireEmptyForLong(worker, log);
      }
      begin(log);
    }
    emptiness.remove(worker);
    return log;
  }

  /**
   * Entries that sessions hold, or end in transactions that are open, count too. But the broker's
   * count misses entries while a lost session gives them back, so one of 0 proves nothing. Nor does
   * a count over a connection that was lost since.
   */
  private void requireEmptyForLong(int worker, SimpleString log) {
    Object connection = admin.connectionId();
    long now = nanoTime.getAsLong();
    Emptiness known = emptiness.get(worker);
    if (known == null || !known.connection().equals(connection)) {
      known = new Emptiness(connection, now);
      emptiness.put(worker, known);
    }
    if (now - known.since() < EMPTY_FOR.toNanos()) {
      throw new UnavailableException("the broker has no entries of " + log + " yet");
    }
  }

  /**
   * An earlier try may still be committed. Its entries go into the queue that is deleted here, and
   * are lost with it.
   */
  private void begin(SimpleString log) {
    admin.delete(log);
    admin.createExclusive(log);
    try (Connection connection = connections.open(true);
        ClientProducer producer = connection.session().createProducer(log)) {
      Instant now = Instant.now();
      for (LogEntry entry : LogEntry.seed(BatchId.NONE)) {
        producer.send(LogCodec.encode(entry, now));
      }
      connection.session().commit();
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to begin " + log, e);
    }
  }
}
