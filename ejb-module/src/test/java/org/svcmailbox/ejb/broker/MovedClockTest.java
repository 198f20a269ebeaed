package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.activemq.artemis.api.core.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * The broker's clock is moved, and so is not what we count by. To the adapter it is all one which
 * of the two is moved; the broker's own cannot be in a test.
 */
@ExtendWith(Brokers.Lender.class)
@Isolated
@ParameterizedClass(name = "{0}")
@EachWay
class MovedClockTest {
  private static final ShardId SHARD = BrokerContract.ORDERS.shard(0);
  private static final Duration MOVE = Duration.ofMinutes(2);
  private static final Duration DELAY = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Way way;
  private ArtemisFixture fixture;
  private ArtemisBroker broker;
  private volatile Duration behind = Duration.ZERO;

  MovedClockTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    broker = fixture.withClock(() -> Instant.now().minus(behind));
    broker.createQueues(BrokerContract.ORDERS);
  }

  /** The broker believes that its time is over, and would be the only one to. */
  @Test
  void aLetterThatExpiresByAClockThatWasSetForwardStays() {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      session.enqueue(SHARD, SampleMessages.message(SHARD, 7, Instant.now()), null);
      session.commit();
      Quarantine why = new Quarantine(DeadLetterReason.REJECTED, 1, "never");
      Delivery delivery = session.fetch(SHARD, 1, true).deliveries().get(0);
      session.quarantine(delivery, why, Instant.now().plusMillis(50));
      session.commit();
    }
    behind = MOVE;
    try (UndeliverableSorter sorter = broker.undeliverableSorter(() -> {}, fixture.lives())) {
      Deadline.in(SOON).await(() -> sorter.step().returned() == 1, () -> "it is not returned");
      // The broker counts a message shortly after its commit was answered.
      Deadline.in(SOON)
          .await(
              () -> broker.deadLetters(BrokerContract.ORDERS.name()) == 1, () -> "it is not there");
    }
  }

  @Test
  void whatTheBrokerLetsOutTooEarlyGoesBackToWait() throws Exception {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      sendDelayed(session);
      behind = MOVE;
      awaitScheduled(0);
      assertEquals(List.of(), session.fetch(SHARD, 1, true).deliveries());
      session.commit();
      assertEquals(1, broker.counts(SHARD).scheduled());
      assertEquals(1, broker.counts(SHARD).messages());

      behind = Duration.ZERO;
      broker.releaseDelayed();
      Delivery delivery = session.fetch(SHARD, 1, true).deliveries().get(0);
      assertEquals(7, delivery.message().envelope().seq());
      session.acknowledge(delivery);
      session.commit();
      assertEquals(0, broker.counts(SHARD).messages());
    }
  }

  @Test
  void whatGoesBackToWaitKeepsItsTimeToLive() throws Exception {
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      Instant due = Instant.now().plus(DELAY);
      StoredMessage any = SampleMessages.message(SHARD, 7, Instant.now());
      Instant expiresAt = due.plusSeconds(60);
      session.enqueue(
          SHARD, new StoredMessage(any.envelope(), any.payload(), null, expiresAt), due);
      session.commit();
      // By our clock it is due in two minutes, when the broker's says that it has expired.
      behind = MOVE;
      awaitScheduled(0);
      assertEquals(List.of(), session.fetch(SHARD, 1, true).deliveries());
      session.commit();
      Message waiting = fixture.scheduled(QueueNames.of(SHARD)).get(0);
      long life = waiting.getExpiration() - waiting.getScheduledDeliveryTime();
      // Two readings of the clock; a mistake would be the two minutes of the move.
      assertTrue(Math.abs(life - 60_000) < 1_000, () -> life + " ms");
    }
  }

  @Test
  void aDelayIsAsLongByAClockThatWasMovedBefore() throws Exception {
    behind = MOVE;
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      long begin = System.nanoTime();
      sendDelayed(session);
      assertEquals(1, broker.counts(SHARD).scheduled());
      awaitScheduled(0);
      assertEquals(1, session.fetch(SHARD, 1, true).deliveries().size());
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(took.compareTo(DELAY) >= 0, took::toString);
    }
  }

  @Test
  void whatIsSentAfterAMoveDoesNotExpireByIt() {
    behind = MOVE;
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      Instant expiresAt = Instant.now().minus(behind).plus(Duration.ofMinutes(1));
      StoredMessage any = SampleMessages.message(SHARD, 7, Instant.now());
      session.enqueue(
          SHARD, new StoredMessage(any.envelope(), any.payload(), null, expiresAt), null);
      session.commit();
      assertEquals(1, session.fetch(SHARD, 1, true).deliveries().size());
    }
  }

  @Test
  void anAgeIsNotOlderByAMove() {
    behind = MOVE;
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      session.enqueue(SHARD, SampleMessages.message(SHARD, 7, Instant.now()), null);
      session.commit();
    }
    long age = broker.counts(SHARD).oldestReadyAgeMillis();
    assertTrue(age < MOVE.toMillis() / 2, () -> age + " ms");
  }

  private void sendDelayed(BrokerSession session) {
    Instant now = Instant.now().minus(behind);
    session.enqueue(SHARD, SampleMessages.message(SHARD, 7, now), now.plus(DELAY));
    session.commit();
  }

  private void awaitScheduled(long count) {
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> broker.counts(SHARD).scheduled() == count, () -> "the broker keeps it");
  }
}
