package org.svcmailbox.ejb.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Broker.Held;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;

@ExtendWith(Brokers.Lender.class)
class QueueCountReaderTest {
  private static final TopicName ORDERS = new TopicName("orders");

  private static ShardId shard(int index) {
    return new ShardId(ORDERS, index);
  }

  @Test
  void everyPageIsReadAndNobodyElsesQueuesAreLeftOut(Brokers brokers) {
    try (ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard())) {
      BrokerConnections connections =
          new BrokerConnections(BrokerAccess.of(fixture.artemis().locator()));
      try (BrokerAdmin admin = new BrokerAdmin(connections)) {
        for (int i = 0; i < 5; i++) {
          fill(fixture, admin, QueueNames.of(shard(i)), i);
        }
        fill(fixture, admin, QueueNames.deadLetters(ORDERS, 0), 1);
        fill(fixture, admin, QueueNames.deadLetters(ORDERS, 1), 2);
        fill(fixture, admin, SimpleString.of("elsewhere"), 1);
        long bytes = admin.queues().bytes(QueueNames.of(shard(1)));
        assertTrue(bytes > 0);
        Map<ShardId, Held> held = new HashMap<>();
        for (int i = 1; i < 5; i++) {
          held.put(shard(i), new Held(i, i * bytes));
        }
        Broker.Contents all = new Broker.Contents(held, Map.of(ORDERS, 3L));
        for (int pageSize = 1; pageSize <= 8; pageSize++) {
          assertEquals(all, new QueueCountReader(admin, pageSize).read(), "pages of " + pageSize);
        }
      } finally {
        connections.close();
      }
    }
  }

  private static void fill(
      ArtemisFixture fixture, BrokerAdmin admin, SimpleString queue, int messages) {
    admin.queues().create(queue);
    fixture.plant(queue, messages);
  }
}
