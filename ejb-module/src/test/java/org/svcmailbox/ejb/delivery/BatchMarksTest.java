package org.svcmailbox.ejb.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.delivery.BrokerSession;
import org.svcmailbox.core.delivery.LogEntry;
import org.svcmailbox.core.delivery.SampleLog;

/** A broker whose workers have marks of their batches, from an earlier version. */
@ExtendWith(Brokers.Lender.class)
final class BatchMarksTest {
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
    mark(3, 38, 41);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** As the earlier version left them: the last few. */
  private void mark(int worker, long first, long last) {
    var queue = QueueNames.batchMarks(worker);
    fixture.inSession(
        session -> {
          session.createAddress(queue, RoutingType.ANYCAST, false);
          session.createQueue(
              QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST).setRingSize(4L));
          try (var producer = session.createProducer(queue)) {
            for (long number : LongStream.rangeClosed(first, last).toArray()) {
              CoreMessage mark = MessageCodec.durable(Instant.now());
              mark.putLongProperty(BatchMarks.NUMBER, number);
              producer.send(mark);
            }
          }
        });
  }

  @Test
  void aLogGoesOnWhereTheMarksEnd() {
    assertEquals(List.of(3), fixture.broker().loggedWorkers());
    try (BrokerSession session = fixture.broker().open(3)) {
      SampleLog log = SampleLog.of(session);
      assertEquals(41, log.lastBatch());
      log.append(42);
      session.commit();
    }
    assertFalse(fixture.artemis().hasQueue(QueueNames.batchMarks(3)));
    assertFalse(fixture.artemis().hasAddress(QueueNames.batchMarks(3)));
    assertEquals(List.of(3), fixture.broker().loggedWorkers());
    fixture.crash();
    assertEquals(42, SampleLog.lastBatch(fixture.broker(), 3));
  }

  @Test
  void anUpgradeThatEndedBeforeTheLogBeganIsRepeated() {
    SimpleString log = QueueNames.log(3);
    fixture.inSession(
        session -> {
          session.createAddress(log, RoutingType.ANYCAST, false);
          session.createQueue(QueueConfiguration.of(log).setRoutingType(RoutingType.ANYCAST));
        });
    assertEquals(41, SampleLog.lastBatch(fixture.broker(), 3));
    assertEquals(List.of(), fixture.broker().violations(), "the log is exclusive");
    assertEquals(LogEntry.WINDOW, fixture.count(log));
  }

  @Test
  void anUpgradeThatEndedBeforeTheMarksWereGoneIsCompleted() {
    assertEquals(41, SampleLog.lastBatch(fixture.broker(), 3));
    mark(3, 1, 7);
    assertTrue(fixture.artemis().hasQueue(QueueNames.batchMarks(3)));
    assertEquals(41, SampleLog.lastBatch(fixture.broker(), 3));
    assertFalse(fixture.artemis().hasQueue(QueueNames.batchMarks(3)));
  }
}
