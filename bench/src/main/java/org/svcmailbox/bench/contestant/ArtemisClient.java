package org.svcmailbox.bench.contestant;

import java.io.IOException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;

/** A connection to the bare broker with one transacted session. */
final class ArtemisClient implements QueueClient {
  private static final long RECEIVE_MILLIS = 1_000;

  private final byte[] payload = LoadPayload.bytes();
  private final ClientSessionFactory connection;
  private final ClientSession session;
  private final ClientProducer producer;
  private final ClientConsumer consumer;

  ArtemisClient(ServerLocator locator, String queue) throws Exception {
    connection = locator.createSessionFactory();
    session = connection.createSession(false, false, 0);
    producer = session.createProducer(queue);
    consumer = session.createConsumer(queue);
  }

  @Override
  public void send(int messages) throws ActiveMQException {
    for (int i = 0; i < messages; i++) {
      ClientMessage message = session.createMessage(true);
      message.getBodyBuffer().writeBytes(payload);
      producer.send(message);
    }
    session.commit();
  }

  @Override
  public int receive(int most) throws ActiveMQException {
    // A session that is not started gets no messages, so clients that only send never start it.
    session.start();
    int received = 0;
    while (received < most) {
      ClientMessage message = consumer.receive(RECEIVE_MILLIS);
      if (message == null) {
        break;
      }
      message.individualAcknowledge();
      received++;
    }
    session.commit();
    return received;
  }

  @Override
  public void close() throws IOException {
    try {
      session.close();
    } catch (ActiveMQException e) {
      throw new IOException(e);
    } finally {
      connection.close();
    }
  }
}
