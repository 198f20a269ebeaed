package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.QueueImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.test.concurrent.Deadline;

/** A backlog on disk takes little memory, for many topics may have one at the same time. */
@ExtendWith(Brokers.Lender.class)
final class PagedMemoryTest {
  private static final Topic ORDERS = BrokerContract.ORDERS;
  private static final ShardId SHARD = ORDERS.shard(0);
  private static final int KIB = 1_024;
  private static final int MESSAGES = 3_000;
  private static final int LETTERS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Pattern IN_MEMORY = Pattern.compile("queueMemorySize=.*?size=(\\d+)");

  /** Everything beyond so many bytes goes to pages. */
  private static final int MEMORY = 64 * KIB;

  @Test
  void theBrokerReadsLittleOfABacklogAhead(Brokers brokers) {
    try (ArtemisFixture fixture = start(brokers, EmbeddedArtemis.Options.standard())) {
      send(fixture, MESSAGES);
      long read = read(fixture, QueueNames.of(SHARD));
      assertTrue(read > 200 * KIB && read < 400 * KIB, () -> read + " bytes in memory");
      receive(fixture, MESSAGES);
    }
  }

  /** Otherwise the test above would pass without a setting, too. */
  @Test
  void theBrokerWouldReadMuchWithoutTheSetting(Brokers brokers) {
    EmbeddedArtemis.Options greedy =
        EmbeddedArtemis.Options.standard()
            .with(EmbeddedArtemis.settings().setPrefetchPageBytes(20 * KIB * KIB));
    try (ArtemisFixture fixture = start(brokers, greedy)) {
      send(fixture, MESSAGES);
      long read = read(fixture, QueueNames.of(SHARD));
      assertTrue(read > 1_000 * KIB, () -> read + " bytes in memory");
    }
  }

  @Test
  void deadLettersStayOnDiskUntilSomebodyTakesThem(Brokers brokers) {
    try (ArtemisFixture fixture = start(brokers, EmbeddedArtemis.Options.standard())) {
      send(fixture, LETTERS);
      try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
        for (int dead = 0; dead < LETTERS; ) {
          for (Delivery one : session.fetch(SHARD, 100, true).deliveries()) {
            session.quarantine(
                one,
                new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 1, "refused"),
                Instant.now().plusSeconds(3_600));
            dead++;
          }
          session.commit();
        }
      }
      SimpleString letters = QueueNames.deadLetters(ORDERS.name(), 0);
      Deadline.in(PATIENCE)
          .await(
              () -> fixture.broker().deadLetters(ORDERS.name()) == LETTERS,
              () -> fixture.broker().deadLetters(ORDERS.name()) + " letters");
      long read = read(fixture, letters);
      assertTrue(read <= 2 * MEMORY, () -> read + " bytes in memory");
      assertEquals(LETTERS, fixture.broker().removeDeadLetters(ORDERS.name(), LETTERS));
    }
  }

  private static ArtemisFixture start(Brokers brokers, EmbeddedArtemis.Options options) {
    ArtemisFixture fixture = brokers.start(options.withMemory(MEMORY));
    fixture.broker().createQueues(ORDERS);
    return fixture;
  }

  private static void send(ArtemisFixture fixture, int count) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int i = 1; i <= count; i++) {
        StoredMessage message =
            SampleMessages.message(SHARD, i, Instant.now(), new byte[KIB], Attributes.NONE, null);
        session.enqueue(SHARD, message, null);
        if (i % 100 == 0) {
          session.commit();
        }
      }
    }
  }

  private static void receive(ArtemisFixture fixture, int count) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int received = 0; received < count; ) {
        for (Delivery one : session.fetch(SHARD, 100, true).deliveries()) {
          session.acknowledge(one);
          received++;
        }
        session.commit();
      }
    }
    assertEquals(0, fixture.broker().messages(SHARD));
  }

  /** The bytes of a queue in memory, once the broker reads no more. */
  private static long read(ArtemisFixture fixture, SimpleString name) {
    Queue queue = fixture.artemis().server().locateQueue(name);
    long before = -1;
    long now = inMemory(queue);
    while (now != before) {
      before = now;
      for (int turn = 0; turn < 10; turn++) {
        queue.deliverAsync();
        assertTrue(queue.flushExecutor(), "the broker is busy");
        fixture.artemis().flushPages(name);
      }
      now = inMemory(queue);
    }
    return now;
  }

  private static long inMemory(Queue queue) {
    Matcher found = IN_MEMORY.matcher(((QueueImpl) queue).debug());
    assertTrue(found.find(), "Artemis tells no memory");
    return Long.parseLong(found.group(1));
  }
}
