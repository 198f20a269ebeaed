package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.test.concurrent.Deadline;

/** A session that ends releases its log once all messages of its shards are back. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EnumSource
final class ReleaseOrderTest {
  private static final WorkerId WORKER = WorkerId.of(0);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SHARDS = 16;
  private static final int MESSAGES = 20;

  /** Fewer than the broker's deliveries of a message: what was acknowledged counts as delivered. */
  private static final int ROUNDS = 5;

  private static final Topic TOPIC =
      new Topic(
          1,
          BrokerContract.ORDERS.name(),
          TopicState.fresh(TopicOverrides.NONE, SHARDS),
          BrokerContract.ORDERS.settings());

  private final Way way;
  private ArtemisFixture fixture;

  ReleaseOrderTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    fixture.broker().createQueues(TOPIC);
    try (BrokerSession session = SampleLog.open(fixture.broker(), WORKER.number())) {
      for (ShardId shard : TOPIC.shards()) {
        for (int seq = 1; seq <= MESSAGES; seq++) {
          session.enqueue(shard, SampleMessages.message(shard, seq, Instant.now()), null);
        }
      }
      session.commit();
    }
  }

  @Test
  void aClosedSessionReleasesItsLogLast() {
    releases(BrokerSession::close);
  }

  @Test
  void aFailedSessionReleasesItsLogLast() {
    releases(BrokerSession::fail);
  }

  private void releases(Consumer<BrokerSession> end) {
    ActiveMQServer server = fixture.artemis().server();
    for (int round = 0; round < ROUNDS; round++) {
      BrokerSession owner = holding(fixture.broker());
      try (BrokerSession heir = fixture.broker().open()) {
        assertFalse(SampleLog.of(heir).isWhole(Duration.ZERO));
        Away away = new Away(server);
        server.registerBrokerPlugin(away);
        end.accept(owner);
        assertTrue(SampleLog.of(heir).isWhole(PATIENCE));
        server.unRegisterBrokerPlugin(away);
        assertEquals(0, away.messages.get(), "messages that came behind the log");
        TOPIC.shards().forEach(shard -> assertEquals(all(), take(heir, shard)));
      }
    }
  }

  /** A session with all messages, some of them acknowledged in its open transaction. */
  private static BrokerSession holding(ArtemisBroker broker) {
    BrokerSession owner = broker.open();
    SampleLog log = SampleLog.of(owner);
    assertTrue(log.isWhole(PATIENCE));
    for (ShardId shard : TOPIC.shards()) {
      List<Delivery> held = owner.fetch(shard, MESSAGES, true).deliveries();
      held.stream().limit(3).forEach(owner::acknowledge);
    }
    return owner;
  }

  private static List<Long> all() {
    return LongStream.rangeClosed(1, MESSAGES).boxed().toList();
  }

  private static List<Long> take(BrokerSession session, ShardId shard) {
    List<Delivery> taken = new ArrayList<>();
    Deadline.in(PATIENCE)
        .await(
            () -> {
              int most = MESSAGES - taken.size();
              taken.addAll(session.fetch(shard, most, true).deliveries());
              return taken.size() == MESSAGES;
            },
            () -> "only " + SampleMessages.seqs(taken) + " in " + shard);
    return SampleMessages.seqs(taken);
  }

  /** A broker that does not answer costs the timeout of one call, however many shards there are. */
  @Test
  void aSessionOfManyShardsClosesNoConsumerInACallOfItsOwn() {
    ActiveMQServer server = fixture.artemis().server();
    BrokerSession owner = holding(fixture.broker());
    AtomicLong calls = new AtomicLong();
    Interceptor counter =
        (packet, connection) -> {
          calls.addAndGet(packet.getType() == PacketImpl.SESS_CONSUMER_CLOSE ? 1 : 0);
          return true;
        };
    server.getRemotingService().addIncomingInterceptor(counter);
    owner.close();
    server.getRemotingService().removeIncomingInterceptor(counter);
    assertEquals(0, calls.get());
  }

  /** Counts what is away from the shards when an entry of the log is delivered. */
  private static final class Away implements ActiveMQServerMessagePlugin {
    private static final SimpleString LOG = QueueNames.log(WORKER);

    private final AtomicLong messages = new AtomicLong();
    private final ActiveMQServer server;

    Away(ActiveMQServer server) {
      this.server = server;
    }

    @Override
    public void beforeDeliver(ServerConsumer consumer, MessageReference reference) {
      if (consumer.getQueueName().equals(LOG)) {
        TOPIC.shards().forEach(shard -> messages.addAndGet(away(shard)));
      }
    }

    private long away(ShardId shard) {
      return server.locateQueue(QueueNames.of(shard)).getDeliveringCount();
    }
  }
}
