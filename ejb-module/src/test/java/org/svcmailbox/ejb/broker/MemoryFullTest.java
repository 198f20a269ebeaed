package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/** A broker whose memory for all addresses together is full. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
class MemoryFullTest {
  private static final long MEMORY = 1024 * 1024;
  private static final int BATCHES = 60;
  private static final int EACH = 50;
  private static final ShardId SHARD = BrokerContract.ORDERS.shard(0);

  private final Way way;
  private ArtemisFixture fixture;

  MemoryFullTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void fill(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard().withMemory(MEMORY), way);
    fixture.broker().createQueues(BrokerContract.ORDERS);
    send(1);
    assertTrue(fixture.artemis().isPaging(QueueNames.of(SHARD)), "memory is not full");
  }

  @Test
  void topicsPageAndLogsDoNot() {
    assertFalse(fixture.artemis().isPaging(QueueNames.log(WorkerId.of(0))));
    assertEquals(BATCHES, lastBatch());
    assertEquals(SampleLog.WINDOW.entries(), fixture.count(QueueNames.log(WorkerId.of(0))));
  }

  @Test
  void nothingIsLostWhenTheBrokerIsKilledThen() {
    fixture.crash();
    assertEquals(BATCHES, lastBatch());
    send(1 + BATCHES * EACH);
    assertEquals(2 * BATCHES, lastBatch());
    receive(2 * BATCHES * EACH);
    assertFalse(fixture.artemis().isPaging(QueueNames.log(WorkerId.of(0))));
  }

  private long lastBatch() {
    return SampleLog.lastBatch(fixture.broker(), 0);
  }

  private void send(long firstSeq) {
    long seq = firstSeq;
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      SampleLog log = SampleLog.of(session);
      long number = log.lastBatch();
      for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < EACH; i++) {
          session.enqueue(SHARD, SampleMessages.message(SHARD, seq++, Instant.now()), null);
        }
        log.append(++number);
        session.commit();
      }
    }
  }

  private void receive(int count) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      long seq = 1;
      while (seq <= count) {
        List<Delivery> some = session.fetch(SHARD, EACH, true).deliveries();
        for (Delivery delivery : some) {
          assertEquals(seq++, delivery.message().envelope().seq());
          session.acknowledge(delivery);
        }
        session.commit();
      }
      assertEquals(List.of(), session.fetch(SHARD, 1, true).deliveries());
    }
  }
}
