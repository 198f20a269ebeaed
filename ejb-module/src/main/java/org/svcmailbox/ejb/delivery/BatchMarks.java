package org.svcmailbox.ejb.delivery;

import java.time.Instant;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;

/**
 * One worker's trail of committed batches: a queue that holds the mark of the last one, and for a
 * moment a few before it. A mark is sent in the transaction of its batch, which also acknowledges
 * the older marks that have come in by then.
 */
final class BatchMarks {
  /** A mark's number. */
  static final SimpleString NUMBER = SimpleString.of("mailbox_batch");

  /** How many marks may be under way before they are waited for. */
  private static final int MOST_UNDER_WAY = 4;

  private static final byte PRIORITY = 4;

  private final ClientSession session;
  private final ClientProducer producer;
  private final SimpleString queue;
  private final ClientConsumerInternal consumer;
  private int underWay;

  BatchMarks(ClientSession session, ClientProducer producer, SimpleString queue)
      throws ActiveMQException {
    this.session = session;
    this.producer = producer;
    this.queue = queue;
    consumer = (ClientConsumerInternal) session.createConsumer(queue);
  }

  /** Stages the mark of a batch. */
  void stage(long batchNo, Instant now) throws ActiveMQException {
    acknowledgeArrived();
    ClientMessage mark =
        session.createMessage(Message.DEFAULT_TYPE, true, 0, now.toEpochMilli(), PRIORITY);
    mark.putLongProperty(NUMBER, batchNo);
    producer.send(queue, mark);
    underWay++;
  }

  private void acknowledgeArrived() throws ActiveMQException {
    while (consumer.getBufferSize() > 0 || underWay > MOST_UNDER_WAY) {
      ClientMessage mark = consumer.receiveImmediate();
      if (mark == null) {
        // Marks of this transaction are under way too and cannot come before it is committed.
        underWay = 0;
        return;
      }
      mark.individualAcknowledge();
      underWay = Math.max(0, underWay - 1);
    }
  }
}
