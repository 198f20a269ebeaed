package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
  private static final Duration EMPTY_FOR = Duration.ofSeconds(10);

  private final BrokerConnections connections;
  private final BrokerAdmin admin;
  private final Map<Integer, Long> emptySince = new ConcurrentHashMap<>();

  BatchLogs(BrokerConnections connections, BrokerAdmin admin) {
    this.connections = connections;
    this.admin = admin;
  }

  /**
   * Makes a worker's log if it has none.
   *
   * @return its queue
   */
  SimpleString prepare(int worker) {
    SimpleString log = QueueNames.log(worker);
    if (!admin.exists(log) || isEmpty(worker, log)) {
      begin(log);
      emptySince.remove(worker);
    }
    return log;
  }

  /**
   * Entries that sessions hold, or end in transactions that are open, count too. But the broker's
   * count misses entries while a lost session gives them back, so one of 0 proves nothing.
   *
   * @throws UnavailableException while it may still be so
   */
  private boolean isEmpty(int worker, SimpleString log) {
    if (admin.countMessages(log) > 0) {
      emptySince.remove(worker);
      return false;
    }
    long now = System.nanoTime();
    Long since = emptySince.putIfAbsent(worker, now);
    if (since == null || now - since < EMPTY_FOR.toNanos()) {
      throw new UnavailableException("the broker has no entries of " + log + " yet");
    }
    return true;
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
