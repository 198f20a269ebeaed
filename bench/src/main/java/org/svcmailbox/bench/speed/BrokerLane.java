package org.svcmailbox.bench.speed;

import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.svcmailbox.bench.http.LoadPayload;

/** A transacted session with queues that no other session uses. One thread at a time. */
final class BrokerLane {
  private static final long RECEIVE_MILLIS = 10_000;

  private final int perCommit;
  private final byte[] payload = LoadPayload.bytes();
  private final ClientSession session;
  private final List<ClientProducer> producers = new ArrayList<>();
  private final List<ClientConsumer> consumers = new ArrayList<>();

  BrokerLane(ClientSessionFactory factory, int perCommit, List<String> queues) throws Exception {
    this.perCommit = perCommit;
    this.session = factory.createSession(false, false, 0);
    for (String queue : queues) {
      producers.add(session.createProducer(queue));
      consumers.add(session.createConsumer(queue));
    }
    session.start();
  }

  int perCommit() {
    return perCommit;
  }

  void send(int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      ClientMessage message = session.createMessage(true);
      message.getBodyBuffer().writeBytes(payload);
      producers.get(i % producers.size()).send(message);
      if ((i + 1) % perCommit == 0) {
        session.commit();
      }
    }
    session.commit();
  }

  void receive(int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      ClientMessage message = consumers.get(i % consumers.size()).receive(RECEIVE_MILLIS);
      if (message == null) {
        throw new IllegalStateException("a message is missing");
      }
      message.individualAcknowledge();
      if ((i + 1) % perCommit == 0) {
        session.commit();
      }
    }
    session.commit();
  }

  void close() throws Exception {
    session.close();
  }
}
