package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.BatchLogCodec;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/** Creates the queues of workers' batch logs. Only one thread at a time makes a worker's. */
final class BatchLogQueues {
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final BrokerConnections connections;
  private final BrokerAdmin admin;
  private final LongSupplier nanoTime;
  private final LongConsumer sleep;

  /**
   * @param sleep waits for the given nanoseconds
   */
  BatchLogQueues(
      BrokerConnections connections, BrokerAdmin admin, LongSupplier nanoTime, LongConsumer sleep) {
    this.connections = connections;
    this.admin = admin;
    this.nanoTime = nanoTime;
    this.sleep = sleep;
  }

  /**
   * Whether a worker's batch log is there and has entries. It waits up to {@link
   * BrokerAdmin#EMPTY_FOR} before it considers a log empty, because entries may be on their way
   * back to it.
   */
  boolean has(WorkerId worker) {
    SimpleString log = QueueNames.log(worker);
    long begun = nanoTime.getAsLong();
    while (admin.queues().countMessages(log) == 0) {
      if (!admin.queues().exists(log)
          || nanoTime.getAsLong() - begun >= BrokerAdmin.EMPTY_FOR.toNanos()) {
        return false;
      }
      sleep.accept(LOOK_EVERY.toNanos());
    }
    return true;
  }

  /**
   * Makes a log, in place of an empty queue. An earlier attempt may still commit; its entries then
   * go into the deleted queue and are lost with it.
   *
   * @param last the worker's last batch
   */
  void make(WorkerId worker, BatchId last) {
    SimpleString log = QueueNames.log(worker);
    admin.queues().delete(log);
    admin.queues().createExclusive(log);
    try (Connection connection = connections.open(true);
        ClientProducer producer = connection.session().createProducer(log)) {
      Instant now = Instant.now();
      for (BatchLogEntry entry : BatchLogEntry.seed(last)) {
        producer.send(BatchLogCodec.encode(entry, now));
      }
      connection.session().commit();
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to make " + log, e);
    }
  }
}
