package org.svcmailbox.ejb.broker;

import java.time.Instant;
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
  private final BrokerConnections connections;
  private final BrokerAdmin admin;

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
    // Entries that sessions hold, or end in transactions that are open, count too.
    if (admin.countMessages(log) == 0) {
      begin(log);
    }
    return log;
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
