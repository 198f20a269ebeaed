package org.svcmailbox.core.broker;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.SampleMessages.refused;
import static org.svcmailbox.core.broker.SampleMessages.seqs;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicQueues;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.test.concurrent.Deadline;

/** The contract of {@link Broker}. Each test starts with an empty broker. */
@DisplayName("A broker")
public interface BrokerContract {
  /** How long anything may take that happens by itself. */
  Duration PATIENCE = Duration.ofSeconds(10);

  Topic ORDERS =
      new Topic(
          1,
          new TopicName("orders.v-1_A"),
          TopicState.fresh(TopicOverrides.NONE, 2),
          new TopicSettings(
              2,
              1000,
              Duration.ofSeconds(300),
              5,
              Duration.ofSeconds(5),
              Duration.ofMillis(200),
              Duration.ofSeconds(60),
              new TopicRetention(
                  Duration.ofDays(7), 1_000_000, null, 20_000, Duration.ofDays(14), 1_000_000),
              Duration.ofMinutes(5)));

  ShardId FIRST = ORDERS.shard(0);
  ShardId SECOND = ORDERS.shard(1);

  /** The broker under test; the same one until {@link #crashAndReopen}. */
  Broker broker();

  /** Kills the process that uses the broker, and the broker; starts both again. */
  Broker crashAndReopen();

  /** A topic's dead letters in the order they died, left in place. */
  List<ObservedLetter> deadLetters(TopicName topic);

  /** Adds a foreign message to the end of a shard's queue. */
  void plantUnreadable(ShardId shard);

  /** The broker's wall clock. */
  Instant now();

  /** Returns once the broker's wall clock shows {@code moment} or later. */
  void passUntil(Instant moment);

  /** Ends a session that waits for log 0 in the broker, which may tell it so or not. */
  void endQuietly(BrokerSession session);

  // Questions.

  @Test
  default void aSessionThatTheBrokerHasAnswersBetweenTransactions() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.ask();
      assertFalse(session.commit(), "nothing was staged");
      session.enqueue(FIRST, message(FIRST, 1), null);
      assertThrows(IllegalStateException.class, session::ask, "inside a transaction");
      assertTrue(session.commit());
      session.ask();
    }
    assertEquals(List.of(1L), drain(FIRST));
  }

  @Test
  default void aSessionThatTheBrokerEndedQuietlyDoesNotAnswer() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertTrue(SampleLog.of(session).isWhole(PATIENCE));
      assertEquals(List.of(1L, 2L), seqs(await(session, FIRST, 2)));
      session.ask();
      endQuietly(session);
      assertThrows(UnavailableException.class, session::ask);
      assertThrows(UnavailableException.class, session::commit);
    }
    assertEquals(List.of(1L, 2L), drain(FIRST));
  }

  // Transactions.

  @Test
  default void committedMessagesAreFetchedInTheOrderTheyWereEnqueued() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3);
    enqueue(FIRST, 4, 5);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertEquals(List.of(1L), seqs(session.fetch(FIRST, 1, true).deliveries()));
      assertEquals(List.of(2L), seqs(await(session, FIRST, 1)));
      assertEquals(List.of(3L, 4L, 5L), seqs(await(session, FIRST, 3)));
    }
  }

  @Test
  default void nothingIsVisibleBeforeTheCommit() {
    broker().createQueues(ORDERS);
    try (BrokerSession sender = SampleLog.open(broker(), 0);
        BrokerSession receiver = SampleLog.open(broker(), 1)) {
      sender.enqueue(FIRST, message(FIRST, 1), null);
      assertEquals(List.of(), receiver.fetch(FIRST, 1, true).deliveries());
      sender.commit();
      assertEquals(List.of(1L), seqs(await(receiver, FIRST, 1)));
    }
  }

  @Test
  default void whatWasNotCommittedIsGoneWhenTheSessionEnds() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 2);
      session.enqueue(FIRST, message(FIRST, 3), null);
      session.enqueue(SECOND, message(SECOND, 4), now());
      session.acknowledge(held.get(0));
      session.redeliver(held.get(1), refused(1, "refused"), now(), dayLater());
      SampleLog.of(session).append(9);
    }
    // Perhaps after the broker's own pause between redeliveries.
    List<Long> returned = new ArrayList<>();
    eventually(() -> returned.addAll(drain(FIRST)) && returned.size() >= 2);
    assertEquals(List.of(1L, 2L), returned.stream().sorted().toList());
    assertEquals(List.of(), drain(SECOND));
    assertEquals(0, SampleLog.lastBatch(broker(), 0));
  }

  @Test
  default void aCrashBeforeTheCommitLeavesTheOriginalsOnly() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3);
    BrokerSession session = SampleLog.open(broker(), 0);
    List<Delivery> held = await(session, FIRST, 3);
    session.redeliver(held.get(0), refused(1, "refused"), now(), dayLater());
    session.quarantine(held.get(1), died(2), now().plus(Duration.ofDays(1)));
    session.acknowledge(held.get(2));
    session.enqueue(FIRST, message(FIRST, 4), null);
    crashAndReopen();
    try (BrokerSession next = SampleLog.open(broker(), 0)) {
      List<Delivery> returned = await(next, FIRST, 3);
      assertEquals(List.of(1L, 2L, 3L), seqs(returned));
      assertEquals(1, returned.get(0).message().envelope().attempt());
      assertEquals(List.of(), next.fetch(FIRST, 1, true).deliveries());
    }
    assertEquals(List.of(), deadLetters(ORDERS.name()));
  }

  @Test
  default void aTransactionSpansShards() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.acknowledge(await(session, FIRST, 1).get(0));
      session.enqueue(SECOND, message(SECOND, 2), null);
      SampleLog.of(session).append(1);
      session.commit();
    }
    assertEquals(List.of(), drain(FIRST));
    assertEquals(List.of(2L), drain(SECOND));
  }

  @Test
  default void committedWorkSurvivesACrash() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3);
    BrokerSession session = SampleLog.open(broker(), 0);
    List<Delivery> held = await(session, FIRST, 3);
    session.acknowledge(held.get(0));
    session.quarantine(held.get(2), died(2), now().plus(Duration.ofDays(1)));
    session.enqueue(FIRST, message(FIRST, 4), null);
    session.commit();
    crashAndReopen();
    assertEquals(1, deadLetters(ORDERS.name()).size());
    assertEquals(List.of(2L, 4L), drain(FIRST));
  }

  @Test
  default void aCommitWithNothingStagedIsNoError() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.commit();
      session.commit();
      assertEquals(0, broker().counts(FIRST).messages());
    }
  }

  @Test
  default void aClosedSessionRefusesToWork() {
    broker().createQueues(ORDERS);
    BrokerSession session = SampleLog.open(broker(), 0);
    session.close();
    session.close();
    assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    assertThrows(
        UnavailableException.class,
        () -> {
          session.enqueue(FIRST, message(FIRST, 1), null);
          session.commit();
        });
    assertEquals(0, broker().counts(FIRST).messages());
  }

  @Test
  default void aSessionFromBeforeACrashRefusesToWork() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    BrokerSession session = SampleLog.open(broker(), 0);
    Delivery held = await(session, FIRST, 1).get(0);
    crashAndReopen();
    assertThrows(
        UnavailableException.class,
        () -> {
          session.acknowledge(held);
          session.commit();
        });
    session.close();
    assertEquals(List.of(1L), drain(FIRST));
  }

  // Fetching.

  @Test
  default void aCertainFetchFindsEverythingThatWasCommittedBefore() {
    broker().createQueues(ORDERS);
    try (BrokerSession sender = SampleLog.open(broker(), 0);
        BrokerSession receiver = SampleLog.open(broker(), 1)) {
      for (long seq = 1; seq <= 200; seq++) {
        assertEquals(List.of(), receiver.fetch(FIRST, 1, true).deliveries(), "before " + seq);
        sender.enqueue(FIRST, message(FIRST, seq), null);
        sender.commit();
        List<Delivery> fetched = receiver.fetch(FIRST, 10, true).deliveries();
        assertEquals(List.of(seq), seqs(fetched));
        receiver.acknowledge(fetched.get(0));
        receiver.commit();
      }
    }
  }

  @Test
  default void anUncertainFetchGetsThereInTheEnd() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.fetch(FIRST, 1, false).deliveries();
      enqueue(FIRST, 1, 2, 3);
      List<Delivery> fetched = new ArrayList<>();
      eventually(
          () -> {
            fetched.addAll(session.fetch(FIRST, 3 - fetched.size(), false).deliveries());
            return fetched.size() == 3;
          });
      assertEquals(List.of(1L, 2L, 3L), seqs(fetched));
    }
  }

  @Test
  default void whatOneSessionHoldsNoOtherGets() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession holder = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      assertEquals(List.of(1L, 2L), seqs(await(holder, FIRST, 2)));
      assertEquals(List.of(), other.fetch(FIRST, 2, true).deliveries());
    }
  }

  @Test
  default void manyMoreMessagesThanFitAnyBufferFlow() {
    broker().createQueues(ORDERS);
    long count = 3_000;
    enqueue(FIRST, LongStream.rangeClosed(1, count).toArray());
    assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), drain(FIRST));
  }

  @Test
  default void fetchTakesAtLeastOne() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertThrows(
          IllegalArgumentException.class, () -> session.fetch(FIRST, 0, true).deliveries());
    }
  }

  @Test
  default void aMissingQueueIsToldAndNothingIsDropped() {
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertThrows(
          UnavailableException.class,
          () -> {
            session.enqueue(FIRST, message(FIRST, 1), null);
            session.commit();
          });
    }
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    }
  }

  @Test
  default void toLookForAMissingQueueHarmsNothing() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(SECOND, message(SECOND, 1), null);
      assertTrue(session.hasQueue(FIRST));
      broker().deleteQueue(FIRST);
      eventually(() -> !session.hasQueue(FIRST));
      session.commit();
      assertEquals(1, broker().messages(SECOND));
    }
  }

  @Test
  default void anUnreadableMessageIsQuarantinedWithTheNextCommitAndLeftOut() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    plantUnreadable(FIRST);
    enqueue(FIRST, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertEquals(List.of(1L, 2L), seqs(await(session, FIRST, 2)));
      assertEquals(List.of(), deadLetters(ORDERS.name()));
      session.commit();
    }
    ObservedLetter letter = onlyDeadLetter();
    assertNull(letter.message());
    assertEquals(DeadLetterReason.UNREADABLE, letter.why().reason());
    assertFalse(letter.why().lastError().isEmpty());
    assertTrue(letter.expiresAt().isAfter(now()));
    assertEquals(List.of(1L, 2L), drain(FIRST));
  }

  @Test
  default void aFetchTellsHowManyMessagesWereUnreadable() {
    broker().createQueues(ORDERS);
    plantUnreadable(FIRST);
    plantUnreadable(FIRST);
    int[] unreadable = new int[1];
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      eventually(
          () -> {
            unreadable[0] += session.fetch(FIRST, 10, true).leftOut().size();
            return unreadable[0] >= 2;
          });
      session.commit();
      assertEquals(List.of(), session.fetch(FIRST, 10, true).leftOut());
    }
    assertEquals(2, unreadable[0]);
    assertEquals(2, broker().deadLetters(ORDERS.name()));
  }

  @Test
  default void aDeliveryTellsSinceWhenItWasReadyAndWhetherItWasDelayed() {
    broker().createQueues(ORDERS);
    Instant before = now();
    enqueue(FIRST, 1);
    Instant after = now();
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery sent = await(session, FIRST, 1).get(0);
      assertFalse(sent.wasDelayed());
      assertFalse(sent.readySince().isBefore(before.truncatedTo(ChronoUnit.MILLIS)));
      assertFalse(sent.readySince().isAfter(after));

      Instant due = now().plusSeconds(1);
      session.redeliver(sent, refused(1, ""), due, dayLater());
      session.commit();
      Delivery back = fetchNotBefore(due, session).get(0);
      assertTrue(back.wasDelayed());
      assertEquals(due.truncatedTo(ChronoUnit.MILLIS), back.readySince());
    }
  }

  // Acknowledging and giving back.

  @Test
  default void acknowledgingOneOfSeveralLeavesTheOthersDelivering() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3);
    try (BrokerSession holder = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      List<Delivery> held = await(holder, FIRST, 3);
      holder.acknowledge(held.get(1));
      holder.commit();
      assertEquals(List.of(), other.fetch(FIRST, 3, true).deliveries());
      assertEquals(2, broker().counts(FIRST).messages());
      holder.acknowledge(held.get(2));
      holder.acknowledge(held.get(0));
      holder.commit();
    }
    assertEquals(0, broker().counts(FIRST).messages());
  }

  @Test
  default void closingReturnsWhatWasNotAcknowledgedInOrder() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3, 4, 5);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 4);
      session.acknowledge(held.get(1));
      session.commit();
      enqueue(FIRST, 6);
    }
    assertEquals(List.of(1L, 3L, 4L, 5L, 6L), drain(FIRST));
  }

  @Test
  default void aCrashReturnsWhatWasNotAcknowledgedInOrder() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3, 4, 5);
    BrokerSession session = SampleLog.open(broker(), 0);
    List<Delivery> held = await(session, FIRST, 4);
    session.acknowledge(held.get(1));
    session.commit();
    enqueue(FIRST, 6);
    crashAndReopen();
    assertEquals(List.of(1L, 3L, 4L, 5L, 6L), drain(FIRST));
  }

  /** As an owner leaves it that dies with ACKs under way. */
  @Test
  default void anAcknowledgementThatIsNotCommittedKeepsNoMessageBack() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3, 4, 5);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 4);
      session.acknowledge(held.get(0));
      session.acknowledge(held.get(2));
    }
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> first = session.fetch(FIRST, 1, true).deliveries();
      assertEquals(List.of(1L), seqs(first));
      assertEquals(List.of(2L, 3L, 4L, 5L), seqs(await(session, FIRST, 4)));
    }
  }

  @Test
  default void releasingAShardReturnsItsMessagesInOrder() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3);
    enqueue(SECOND, 4);
    try (BrokerSession session = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      List<Delivery> held = await(session, FIRST, 2);
      Delivery kept = await(session, SECOND, 1).get(0);
      session.acknowledge(held.get(0));
      session.commit();
      session.release(FIRST);
      assertEquals(List.of(2L, 3L), seqs(await(other, FIRST, 2)));
      session.acknowledge(kept);
      session.commit();
    }
    assertEquals(List.of(), drain(SECOND));
  }

  @Test
  default void aReleasedShardCanBeFetchedFromAgain() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.release(FIRST);
      for (int round = 0; round < 20; round++) {
        assertEquals(List.of(1L, 2L), seqs(await(session, FIRST, 2)));
        session.release(FIRST);
      }
    }
    assertEquals(List.of(1L, 2L), drain(FIRST));
  }

  @Test
  default void aDeliveryIsSettledOnce() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      List<Delivery> held = await(session, FIRST, 2);
      assertThrows(IllegalStateException.class, () -> other.acknowledge(held.get(0)));
      session.acknowledge(held.get(0));
      assertThrows(IllegalStateException.class, () -> session.acknowledge(held.get(0)));
      session.commit();
      assertThrows(
          IllegalStateException.class,
          () -> session.redeliver(held.get(0), refused(1, "late"), now(), dayLater()));
      session.release(FIRST);
      assertThrows(IllegalStateException.class, () -> session.acknowledge(held.get(1)));
    }
    assertEquals(List.of(2L), drain(FIRST));
  }

  // Redelivering.

  @Test
  default void aRedeliveredMessageCarriesItsAttemptAndError() {
    broker().createQueues(ORDERS);
    StoredMessage sent = send(FIRST, message(FIRST, 1));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery first = await(session, FIRST, 1).get(0);
      Instant expiresAt = dayLater();
      session.redeliver(first, refused(1, "nicht verstanden — \uD83D\uDE80"), now(), expiresAt);
      session.commit();
      passUntil(now().plusMillis(1));
      StoredMessage again = await(session, FIRST, 1).get(0).message();
      assertEquals(sent.envelope().withAttempt(2), again.envelope());
      assertEquals(sent.payload(), again.payload());
      assertEquals("nicht verstanden — \uD83D\uDE80", again.lastError());
      assertEquals(
          MessageHistory.NONE.with(refused(1, "nicht verstanden — \uD83D\uDE80")), again.history());
      assertEquals(expiresAt, again.expiresAt());
      assertEquals(1, broker().counts(FIRST).messages());
    }
  }

  @Test
  default void aRedeliveredMessageIsNeverVisibleBeforeItIsDue() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery first = await(session, FIRST, 1).get(0);
      Instant due = now().plusMillis(300);
      session.redeliver(first, refused(1, ""), due, dayLater());
      session.commit();
      assertEquals(List.of(1L), seqs(fetchNotBefore(due, session)));
    }
  }

  @Test
  default void redeliveredMessagesGoToTheHeadWhenTheyAreDueTheEarliestFirst() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    Instant due;
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 2);
      due = now().plusSeconds(1);
      session.redeliver(held.get(0), refused(1, ""), due, dayLater());
      session.redeliver(held.get(1), refused(1, ""), due, dayLater());
      session.commit();
    }
    enqueue(FIRST, 3, 4);
    passUntil(due);
    eventually(() -> broker().counts(FIRST).scheduled() == 0);
    assertEquals(List.of(1L, 2L, 3L, 4L), drain(FIRST));
  }

  @Test
  default void aMessageRedeliveredAtOnceIsReadyAtOnceAndOnlyOnce() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery held = await(session, FIRST, 1).get(0);
      session.redeliver(held, refused(1, ""), now().minusSeconds(1), dayLater());
      session.commit();
      passUntil(now().plusMillis(1));
      List<Delivery> both = await(session, FIRST, 2);
      assertEquals(List.of(1L, 2L), seqs(both).stream().sorted().toList());
      assertEquals(List.of(), session.fetch(FIRST, 1, true).deliveries());
    }
    assertEquals(2, broker().counts(FIRST).messages());
  }

  @Test
  default void aDelayedMessageWaitsForItsTimeThroughACrash() {
    broker().createQueues(ORDERS);
    // Later than any end of the next crash, by what one takes on this machine.
    Instant before = now();
    crashAndReopen();
    Duration crash = Duration.between(before, now());
    Instant due = now().plusSeconds(4).plus(crash.multipliedBy(2));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(FIRST, message(FIRST, 1), due);
      session.enqueue(FIRST, message(FIRST, 2), null);
      session.commit();
    }
    crashAndReopen();
    assertEquals(1, broker().counts(FIRST).scheduled());
    assertEquals(List.of(2L), drain(FIRST));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertEquals(List.of(1L), seqs(fetchNotBefore(due, session)));
    }
  }

  // Quarantine.

  @Test
  default void quarantineIsAtomicWithTheAcknowledge() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    Instant expiresAt = now().plus(Duration.ofDays(14));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery held = await(session, FIRST, 1).get(0);
      session.quarantine(held, died(1), expiresAt);
      assertEquals(List.of(), deadLetters(ORDERS.name()));
    }
    assertEquals(0, broker().deadLetters(ORDERS.name()));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery held = await(session, FIRST, 1).get(0);
      session.quarantine(held, died(1), expiresAt);
      session.commit();
    }
    assertEquals(1, broker().deadLetters(ORDERS.name()));
    assertEquals(List.of(), drain(FIRST));
  }

  @Test
  default void aDeadLetterKeepsTheMessageAndSaysWhy() {
    broker().createQueues(ORDERS);
    StoredMessage sent = send(SECOND, awkwardMessage(SECOND, 7));
    Instant expiresAt = now().plus(Duration.ofDays(14));
    Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 5, "Grund: — \uD83D\uDE80");
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.quarantine(await(session, SECOND, 1).get(0), why, expiresAt);
      session.commit();
    }
    ObservedLetter letter = onlyDeadLetter();
    StoredMessage kept = Objects.requireNonNull(letter.message());
    assertEquals(why, letter.why());
    assertEquals(sent.envelope().withAttempt(5), kept.envelope());
    assertEquals(why.lastError(), kept.lastError());
    assertEquals(sent.payload(), kept.payload());
    assertEquals(expiresAt.toEpochMilli(), letter.expiresAt().toEpochMilli());
  }

  @Test
  default void whatHappenedToAMessageStaysWithItUntilItIsDead() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    MessageEvent ranOut =
        new MessageEvent(MessageEvent.Kind.EXPIRED, Timestamps.truncated(now()), 2, "late", null);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.redeliver(await(session, FIRST, 1).get(0), refused(1, "no"), now(), dayLater());
      session.commit();
      passUntil(now().plusMillis(1));
      Quarantine why = Quarantine.after(ranOut, DeadLetterReason.MAX_ATTEMPTS);
      session.quarantine(await(session, FIRST, 1).get(0), why, now().plusSeconds(3600));
      session.commit();
    }
    StoredMessage kept = Objects.requireNonNull(onlyDeadLetter().message());
    assertEquals(MessageHistory.NONE.with(refused(1, "no")).with(ranOut), kept.history());
    assertEquals(2, kept.envelope().attempt());
    assertEquals("late", kept.lastError());
  }

  // Watching.

  @Test
  default void aWatchFiresOnceWhenMessagesArrive() {
    broker().createQueues(ORDERS);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      assertEquals(0, arrivals.availablePermits());
      enqueue(FIRST, 1, 2, 3);
      assertTrue(acquired(arrivals));
      enqueue(FIRST, 4);
      assertEquals(List.of(1L, 2L, 3L, 4L), seqs(await(session, FIRST, 4)));
      enqueue(FIRST, 5);
      assertEquals(List.of(5L), seqs(await(session, FIRST, 1)));
      assertEquals(0, arrivals.availablePermits());
    }
  }

  @Test
  default void aWatchFiresWhenMessagesAreThereAlready() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      assertTrue(acquired(arrivals));
      assertEquals(List.of(1L), seqs(await(session, FIRST, 1)));
      session.watch(FIRST, arrivals::release);
      assertTrue(acquired(arrivals));
      assertEquals(List.of(2L), seqs(await(session, FIRST, 1)));
    }
  }

  @Test
  default void aWatchFiresWhenAScheduledMessageComesDue() {
    broker().createQueues(ORDERS);
    Instant due = now().plusMillis(200);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      session.enqueue(FIRST, message(FIRST, 1), due);
      session.commit();
      passUntil(due);
      assertTrue(acquired(arrivals));
      assertEquals(List.of(1L), seqs(await(session, FIRST, 1)));
    }
  }

  @Test
  default void aFetchEndsTheWatch() {
    broker().createQueues(ORDERS);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      assertEquals(List.of(), session.fetch(FIRST, 1, true).deliveries());
      enqueue(FIRST, 1);
      assertEquals(List.of(1L), seqs(await(session, FIRST, 1)));
      assertEquals(0, arrivals.availablePermits());
    }
  }

  @Test
  default void severalShardsAreWatchedAtOnceWhileOthersAreServed() {
    broker().createQueues(ORDERS);
    Semaphore first = new Semaphore(0);
    Semaphore second = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, first::release);
      session.watch(SECOND, second::release);
      enqueue(SECOND, 1);
      assertTrue(acquired(second));
      session.acknowledge(await(session, SECOND, 1).get(0));
      session.commit();
      assertEquals(0, first.availablePermits());
      enqueue(FIRST, 2);
      assertTrue(acquired(first));
      assertEquals(List.of(2L), seqs(await(session, FIRST, 1)));
    }
  }

  @Test
  default void whatAWatchSawGoesBackWhenTheSessionEnds() {
    broker().createQueues(ORDERS);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      enqueue(FIRST, 1, 2);
      assertTrue(acquired(arrivals));
    }
    assertEquals(List.of(1L, 2L), drain(FIRST));
  }

  @Test
  default void aWatchFiresWhenTheSessionIsLost() {
    broker().createQueues(ORDERS);
    Semaphore arrivals = new Semaphore(0);
    BrokerSession session = SampleLog.open(broker(), 0);
    session.watch(FIRST, arrivals::release);
    crashAndReopen();
    assertTrue(acquired(arrivals));
    assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    session.close();
    assertEquals(0, arrivals.availablePermits());
  }

  @Test
  default void aReleasedShardIsNotWatched() {
    broker().createQueues(ORDERS);
    Semaphore arrivals = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.watch(FIRST, arrivals::release);
      session.release(FIRST);
      enqueue(FIRST, 1);
      assertEquals(List.of(1L), drain(FIRST));
      assertEquals(0, arrivals.availablePermits());
    }
  }

  // The log of batches.

  /**
   * Commits with an unknown outcome: the session fails, and only the returned task ends the
   * transaction, committed.
   */
  Runnable commitLate(BrokerSession session);

  /** Takes back what a session holds of its log, without its knowledge. */
  void takeLogFrom(BrokerSession session);

  @Test
  default void theLogTellsTheLastBatchThatWasCommitted() {
    broker().createQueues(ORDERS);
    assertEquals(0, lastBatch(3));
    try (BrokerSession session = SampleLog.open(broker(), 3)) {
      SampleLog log = SampleLog.of(session, 3);
      for (long batch = 1; batch <= 50; batch++) {
        session.enqueue(FIRST, message(FIRST, batch), null);
        log.append(batch);
        session.commit();
      }
    }
    assertEquals(50, lastBatch(3));
    assertEquals(0, lastBatch(4));
    assertTrue(broker().loggedWorkers().containsAll(List.of(WorkerId.of(3), WorkerId.of(4))));
  }

  @Test
  default void aSessionMakesNoLog() {
    WorkerId worker = WorkerId.of(5);
    try (BrokerSession session = broker().open()) {
      assertThrows(UnavailableException.class, () -> session.log(worker));
      session.commit();
    }
    assertFalse(broker().hasLog(worker));
    assertFalse(broker().loggedWorkers().contains(worker));
  }

  @Test
  default void aLogIsMadeWithTheLastBatchThatItsWorkerHas() {
    WorkerId worker = WorkerId.of(5);
    broker().makeLog(worker, SampleBatch.id(7));
    assertTrue(broker().hasLog(worker));
    assertEquals(7, lastBatch(5));
    crashAndReopen();
    assertTrue(broker().hasLog(worker));
    assertEquals(7, lastBatch(5));
  }

  @Test
  default void aLogThatASessionHoldsIsThere() {
    try (BrokerSession session = SampleLog.open(broker(), 5)) {
      assertTrue(SampleLog.of(session, 5).isWhole(PATIENCE));
      assertTrue(broker().hasLog(WorkerId.of(5)));
    }
  }

  @Test
  default void theLogSurvivesACrashAndSessionsThatAppendNothing() {
    broker().createQueues(ORDERS);
    for (long batch : new long[] {41, 42}) {
      BrokerSession session = SampleLog.open(broker(), 0);
      SampleLog.of(session).append(batch);
      session.commit();
      crashAndReopen();
      assertEquals(batch, lastBatch(0));
    }
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(FIRST, message(FIRST, 1), null);
      session.commit();
    }
    assertEquals(42, lastBatch(0));
  }

  @Test
  default void anEntryWhoseTransactionIsNotCommittedNeverArrives() {
    broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      SampleLog log = SampleLog.of(session);
      log.append(1);
      session.commit();
      log.append(2);
    }
    assertEquals(1, lastBatch(0), "what it acknowledged came back");
    BrokerSession session = SampleLog.open(broker(), 0);
    session.enqueue(FIRST, message(FIRST, 1), null);
    SampleLog.of(session).append(2);
    crashAndReopen();
    assertEquals(1, lastBatch(0));
    assertEquals(List.of(), drain(FIRST));
  }

  @Test
  default void theBeginningOfALogIsNeverWhole() {
    append(0, 1, 30);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<BatchLogEntry> entries = receiveLog(session, SampleLog.WINDOW.entries());
      assertEquals(30, entries.get(entries.size() - 1).batch().number());
      BatchLog log = new BatchLog(SampleLog.WINDOW, SampleLog.LIFE);
      for (BatchLogEntry entry : entries) {
        assertFalse(log.isWhole(), () -> "before " + entry);
        log.add(entry);
      }
      assertTrue(log.isWhole());
    }
  }

  @Test
  default void aLogHasAHoleWhileATransactionIsOpen() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    BrokerSession given = SampleLog.open(broker(), 0);
    given.enqueue(FIRST, message(FIRST, 7), null);
    SampleLog.of(given).append(2);
    Runnable end = commitLate(given);
    try {
      given.close();
      try (BrokerSession next = SampleLog.open(broker(), 0)) {
        SampleLog log = SampleLog.of(next);
        assertFalse(log.isWhole(Duration.ofMillis(200)));
        assertEquals(List.of(), next.fetch(FIRST, 1, true).deliveries());

        end.run();
        eventually(() -> log.isWhole(Duration.ofMillis(200)));
        assertEquals(2, log.lastBatch());
        assertEquals(List.of(7L), seqs(await(next, FIRST, 1)));
        log.append(3);
        next.commit();
      }
    } finally {
      end.run();
    }
    assertEquals(3, lastBatch(0));
  }

  @Test
  default void aTransactionFailsOnceItsEntryIsSomebodyElses() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    try (BrokerSession late = SampleLog.open(broker(), 0);
        BrokerSession next = SampleLog.open(broker(), 0)) {
      BatchLog log = new BatchLog(SampleLog.WINDOW, SampleLog.LIFE);
      log.receive(late.log(WorkerId.of(0))::receive, System::nanoTime, PATIENCE);
      takeLogFrom(late);
      SampleLog now = SampleLog.of(next);
      assertEquals(1, now.lastBatch());

      late.enqueue(FIRST, message(FIRST, 1), null);
      SampleLog.stage(late.log(WorkerId.of(0)), log, 2);
      assertThrows(UnavailableException.class, late::commit);

      now.append(3);
      next.commit();
    }
    assertEquals(3, lastBatch(0));
    assertEquals(List.of(), drain(FIRST));
  }

  /** A part of a transaction that spans two logs. */
  private void stage(BrokerSession session, int worker, long batch) {
    SampleLog.of(session, worker).append(batch);
    ShardId shard = worker == 0 ? FIRST : SECOND;
    session.enqueue(shard, message(shard, batch), null);
  }

  private void requireLogs(long first, long second) {
    assertEquals(List.of(first, second), List.of(lastBatch(0), lastBatch(1)));
    assertEquals(first == 1 ? List.of() : List.of(first), drain(FIRST));
    assertEquals(second == 1 ? List.of() : List.of(second), drain(SECOND));
  }

  @Test
  default void aCommitChangesAllLogsOfASession() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    append(1, 1, 1);
    try (BrokerSession session = broker().open()) {
      stage(session, 0, 2);
      stage(session, 1, 2);
      session.commit();
    }
    requireLogs(2, 2);
  }

  @Test
  default void aSessionThatEndsBetweenThePartsOfACommitChangesNoLog() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    append(1, 1, 1);
    BrokerSession session = broker().open();
    SampleLog.of(session, 1).isWhole(PATIENCE);
    stage(session, 0, 2);
    crashAndReopen();
    requireLogs(1, 1);
    BrokerSession next = broker().open();
    stage(next, 0, 2);
    stage(next, 1, 2);
    next.fail();
    requireLogs(1, 1);
  }

  @Test
  default void noLogIsWholeWhileATransactionThatWritesItIsOpen() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    append(1, 1, 1);
    BrokerSession given = broker().open();
    stage(given, 0, 2);
    stage(given, 1, 2);
    Runnable end = commitLate(given);
    try {
      given.close();
      try (BrokerSession next = broker().open()) {
        SampleLog first = SampleLog.of(next, 0);
        SampleLog second = SampleLog.of(next, 1);
        assertFalse(first.isWhole(Duration.ofMillis(200)));
        assertFalse(second.isWhole(Duration.ZERO));

        end.run();
        eventually(() -> first.isWhole(Duration.ofMillis(200)));
        eventually(() -> second.isWhole(Duration.ofMillis(200)));
      }
    } finally {
      end.run();
    }
    requireLogs(2, 2);
  }

  @Test
  default void aTransactionFailsInAllItsLogsOnceOneIsSomebodyElses() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    append(1, 1, 1);
    try (BrokerSession late = broker().open()) {
      BatchLog log = new BatchLog(SampleLog.WINDOW, SampleLog.LIFE);
      log.receive(late.log(WorkerId.of(0))::receive, System::nanoTime, PATIENCE);
      assertTrue(log.isWhole());
      stage(late, 1, 2);
      takeLogFrom(late);
      SampleLog.stage(late.log(WorkerId.of(0)), log, 2);
      assertThrows(UnavailableException.class, late::commit);
    }
    requireLogs(1, 1);
  }

  @Test
  default void theFirstSessionThatWaitsForALogGetsItAndOthersNothing() {
    append(0, 1, 1);
    try (BrokerSession owner = broker().open();
        BrokerSession heir = broker().open()) {
      SampleLog log = SampleLog.of(owner);
      assertTrue(log.isWhole(PATIENCE));
      SampleLog waiting = SampleLog.of(heir);
      for (long batch = 2; batch <= 20; batch++) {
        log.append(batch);
        owner.commit();
        assertFalse(waiting.isWhole(Duration.ZERO));
      }
      owner.fail();
      assertEquals(20, waiting.lastBatch());
    }
  }

  @Test
  default void aLogIsGivenAwayWhileItsSessionGoesOnWithTheOthers() {
    broker().createQueues(ORDERS);
    append(0, 1, 1);
    append(1, 1, 1);
    try (BrokerSession giver = broker().open();
        BrokerSession heir = broker().open()) {
      SessionLog given = giver.log(WorkerId.of(0));
      assertTrue(SampleLog.of(giver).isWhole(PATIENCE));
      SampleLog kept = SampleLog.of(giver, 1);
      kept.append(2);
      assertThrows(IllegalStateException.class, given::release, "inside a transaction");
      giver.commit();

      given.release();
      assertThrows(UnavailableException.class, () -> given.receive(Duration.ZERO));
      assertThrows(UnavailableException.class, given::damaged);
      kept.append(3);
      SampleLog taken = SampleLog.of(heir);
      assertEquals(1, taken.lastBatch());
      taken.append(2);
      heir.commit();
      giver.commit();
      SampleLog again = SampleLog.of(giver);
      assertFalse(again.isWhole(Duration.ZERO), "it waits behind the heir");
      heir.fail();
      assertEquals(2, again.lastBatch());
    }
    assertEquals(3, lastBatch(1));
  }

  @Test
  default void aLogIsWholeAfterTwoHundredSessions() {
    broker().createQueues(ORDERS);
    append(0, 1, 3);
    for (int i = 0; i < 200; i++) {
      try (BrokerSession session = SampleLog.open(broker(), 0)) {
        SampleLog log = SampleLog.of(session);
        assertTrue(log.isWhole(PATIENCE), "session " + i);
        log.append(4);
        if (i % 2 == 0) {
          session.fail();
        }
      }
    }
    assertEquals(3, lastBatch(0));
  }

  private void append(int worker, long first, long last) {
    try (BrokerSession session = SampleLog.open(broker(), worker)) {
      SampleLog log = SampleLog.of(session, worker);
      for (long batch = first; batch <= last; batch++) {
        log.append(batch);
        session.commit();
      }
    }
  }

  private long lastBatch(int worker) {
    return SampleLog.lastBatch(broker(), worker);
  }

  private static List<BatchLogEntry> receiveLog(BrokerSession session, int count) {
    List<BatchLogEntry> entries = new ArrayList<>();
    eventually(
        () ->
            entries.addAll(session.log(WorkerId.of(0)).receive(PATIENCE))
                && entries.size() >= count);
    return entries;
  }

  // Queues.

  @Test
  default void countsTellMessagesScheduledAndAge() {
    broker().createQueues(ORDERS);
    assertEquals(new Broker.QueueCounts(0, 0, 0), broker().counts(FIRST));
    Instant before = now();
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(FIRST, message(FIRST, 3), now().plusSeconds(3600));
      session.commit();
    }
    Instant after = now();
    passUntil(after.plusMillis(50));
    Broker.QueueCounts counts = broker().counts(FIRST);
    assertEquals(3, counts.messages());
    assertEquals(1, counts.scheduled());
    assertTrue(counts.oldestReadyAgeMillis() >= 50, counts::toString);
    long most = Duration.between(before, now()).toMillis() + 1;
    assertTrue(counts.oldestReadyAgeMillis() <= most, counts::toString);
    assertEquals(new Broker.QueueCounts(0, 0, 0), broker().counts(SECOND));
  }

  @Test
  default void countsIncludeWhatIsDelivering() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 2);
      assertEquals(2, broker().counts(FIRST).messages());
      assertEquals(0, broker().counts(FIRST).oldestReadyAgeMillis());
      session.acknowledge(held.get(0));
      session.commit();
      assertEquals(1, broker().counts(FIRST).messages());
    }
  }

  @Test
  default void messagesCountsAllThatAreNotEnded() {
    broker().createQueues(ORDERS);
    assertEquals(0, broker().messages(FIRST));
    enqueue(FIRST, 1, 2, 3);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery held = await(session, FIRST, 1).get(0);
      session.enqueue(FIRST, message(FIRST, 4), now().plusSeconds(3600));
      session.commit();
      assertEquals(4, broker().messages(FIRST));
      session.acknowledge(held);
      assertEquals(4, broker().messages(FIRST), "not before the commit");
      session.commit();
      assertEquals(3, broker().messages(FIRST));
    }
    assertEquals(0, broker().messages(new ShardId(new TopicName("nobody"), 0)));
  }

  @Test
  default void theBytesOfAQueueAreThoseOfItsMessages() {
    broker().createQueues(ORDERS);
    assertEquals(Broker.Held.NOTHING, broker().held(FIRST));
    long bytes = 0;
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      bytes += session.enqueue(FIRST, message(FIRST, 1), null);
      long large =
          session.enqueue(
              FIRST,
              SampleMessages.message(
                  FIRST, 2, now(), new byte[10_000], new Attributes(Map.of("a", "b")), null),
              null);
      assertTrue(large > 10_000, () -> "only " + large);
      bytes += large;
      bytes += session.enqueue(FIRST, message(FIRST, 3), now().plusSeconds(3600));
      session.commit();
      assertEquals(new Broker.Held(3, bytes), broker().held(FIRST));

      List<Delivery> held = await(session, FIRST, 2);
      assertEquals(large, held.get(1).bytes());
      assertEquals(new Broker.Held(3, bytes), broker().held(FIRST), "those delivering too");
      long successor =
          session.redeliver(held.get(0), refused(1, "why"), now().plusSeconds(3600), dayLater());
      assertTrue(successor > held.get(0).bytes(), "it has a history");
      session.acknowledge(held.get(1));
      session.commit();
      bytes += successor - held.get(0).bytes() - large;
      assertEquals(new Broker.Held(2, bytes), broker().held(FIRST));
    }
    crashAndReopen();
    assertEquals(new Broker.Held(2, bytes), broker().held(FIRST), "after a restart");
  }

  @Test
  default void contentsTellEveryQueueThatHoldsAnything() {
    broker().createQueues(ORDERS);
    assertEquals(new Broker.Contents(Map.of(), Map.of()), broker().contents());
    enqueue(FIRST, 1, 2, 3);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<Delivery> held = await(session, FIRST, 2);
      session.quarantine(held.get(0), died(1), now().plusSeconds(3600));
      session.enqueue(SECOND, message(SECOND, 4), now().plusSeconds(3600));
      session.commit();
      Broker.Contents contents = broker().contents();
      assertEquals(
          Map.of(FIRST, broker().held(FIRST), SECOND, broker().held(SECOND)), contents.messages());
      assertEquals(Map.of(ORDERS.name(), 1L), contents.deadLetters());
      assertEquals(2, contents.messages(FIRST).messages());
      assertEquals(Broker.Held.NOTHING, contents.messages(new ShardId(new TopicName("nobody"), 0)));
    }
  }

  @Test
  default void removingWhatIsScheduledLeavesWhatIsReadyOrDelivering() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery held = await(session, FIRST, 1).get(0);
      session.enqueue(FIRST, message(FIRST, 3), now().plusSeconds(3600));
      session.enqueue(FIRST, message(FIRST, 4), now().plusSeconds(7200));
      session.enqueue(SECOND, message(SECOND, 1), now().plusSeconds(3600));
      session.commit();

      assertEquals(2, broker().removeScheduled(FIRST));
      assertEquals(0, broker().removeScheduled(FIRST));

      assertEquals(2, broker().messages(FIRST));
      session.acknowledge(held);
      session.commit();
    }
    assertEquals(List.of(2L), drain(FIRST));
    assertEquals(1, broker().counts(SECOND).scheduled());
    crashAndReopen();
    assertEquals(new Broker.QueueCounts(0, 0, 0), broker().counts(FIRST));
  }

  /** Searches {@link #FIRST} for a message. */
  private @Nullable QueuedMessage searched(StoredMessage wanted) {
    Broker.Searched found = broker().search(FIRST, wanted.envelope().msgId());
    assertTrue(found.isWhole());
    return found.seen();
  }

  @Test
  default void aSearchSeesAMessageWhereverItIsInItsQueue() {
    broker().createQueues(ORDERS);
    StoredMessage ready = message(FIRST, 1);
    StoredMessage scheduled = message(FIRST, 2);
    StoredMessage other = message(SECOND, 3);
    Instant due = now().plusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
    assertNull(searched(ready));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(FIRST, ready, null);
      session.enqueue(FIRST, scheduled, due);
      session.enqueue(SECOND, other, null);
      session.commit();
      QueuedMessage seen = requireNonNull(searched(ready));
      assertEquals(ready.envelope(), seen.envelope());
      assertFalse(seen.isScheduled());
      QueuedMessage waiting = requireNonNull(searched(scheduled));
      assertEquals(scheduled.envelope(), waiting.envelope());
      assertTrue(waiting.isScheduled());
      assertTrue(Duration.between(due, waiting.since()).abs().toMillis() <= 1, waiting::toString);
      assertNull(searched(other));
      assertNull(searched(message(FIRST, 9)));
      Delivery held = await(session, FIRST, 1).get(0);
      assertEquals(ready.envelope(), requireNonNull(searched(ready)).envelope());
      assertEquals(ready.envelope(), held.message().envelope());
      session.redeliver(held, refused(1, "no"), now(), dayLater());
      session.commit();
      eventually(() -> searched(ready) != null);
      QueuedMessage again = requireNonNull(searched(ready));
      assertEquals(2, requireNonNull(again.envelope()).attempt());
      assertEquals(1, again.history().events().size());
      assertEquals("no", again.lastError());
      passUntil(now().plusMillis(1));
      session.acknowledge(await(session, FIRST, 1).get(0));
      session.commit();
      assertNull(searched(ready));
    }
  }

  @Test
  default void removingDeadLettersTakesTheOldest() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2, 3, 4);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      for (Delivery held : await(session, FIRST, 4)) {
        session.quarantine(held, died(1), now().plusSeconds(3600));
        session.commit();
      }
    }
    assertEquals(3, broker().removeDeadLetters(ORDERS.name(), 3));
    assertEquals(1, broker().deadLetters(ORDERS.name()));
    assertEquals(4, requireNonNull(onlyDeadLetter().message()).envelope().seq());
    assertEquals(1, broker().removeDeadLetters(ORDERS.name(), 3));
    assertEquals(0, broker().removeDeadLetters(ORDERS.name(), 3));
    crashAndReopen();
    assertEquals(0, broker().deadLetters(ORDERS.name()));
  }

  @Test
  default void deletingOneQueueLeavesTheOthers() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    enqueue(SECOND, 2);
    broker().deleteQueue(SECOND);
    broker().deleteQueue(SECOND);
    assertEquals(0, broker().messages(SECOND));
    assertEquals(List.of(1L), drain(FIRST));
    broker().createQueues(ORDERS);
    assertEquals(List.of(), drain(SECOND));
  }

  @Test
  default void creatingQueuesAgainKeepsWhatIsInThem() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    broker().createQueues(ORDERS);
    crashAndReopen();
    broker().createQueues(ORDERS);
    assertEquals(List.of(1L), drain(FIRST));
  }

  @Test
  default void whatIsMissingOfATopicIsMadeAndTheRestKept() {
    assertEquals(List.of(), broker().createMissing(List.of()));
    assertEquals(List.of(ORDERS.name()), broker().createMissing(List.of(ORDERS)));
    enqueue(FIRST, 1);
    broker().deleteQueue(SECOND);
    crashAndReopen();
    assertEquals(List.of(ORDERS.name()), broker().createMissing(List.of(ORDERS)));
    assertEquals(List.of(), broker().createMissing(List.of(ORDERS)));
    enqueue(SECOND, 2);
    assertEquals(List.of(1L), drain(FIRST));
    assertEquals(List.of(2L), drain(SECOND));
  }

  @Test
  default void queuesTellTheirTopicsIdAndShards() {
    assertEquals(TopicQueues.NONE, queuesOfOrders());
    broker().createQueues(ORDERS);
    int shards = ORDERS.state().liveShards();
    assertEquals(new TopicQueues(ORDERS.id(), shards, true), queuesOfOrders());
    broker().deleteQueue(ORDERS.shard(shards - 1));
    assertEquals(shards - 1, queuesOfOrders().shards());
    crashAndReopen();
    broker().deleteQueue(FIRST);
    assertFalse(queuesOfOrders().hasFirst());
    broker().deleteQueues(ORDERS);
    assertEquals(TopicQueues.NONE, queuesOfOrders());
  }

  @Test
  default void queuesTellTheIdOfATopicThatWasMadeAgain() {
    broker().createQueues(ORDERS);
    Topic again = new Topic(ORDERS.id() + 1, ORDERS.name(), ORDERS.state(), ORDERS.settings());
    assertEquals(List.of(ORDERS.name()), broker().createMissing(List.of(again)));
    assertEquals(again.id(), queuesOfOrders().id());
    assertEquals(List.of(), broker().createMissing(List.of(again)));
    assertEquals(List.of(ORDERS.name()), broker().createMissing(List.of(ORDERS)));
    assertEquals(ORDERS.id(), queuesOfOrders().id());
  }

  @Test
  default void queuesOfAnEndingTopicGoAndNoOthers() {
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1);
    assertThrows(UnavailableException.class, () -> broker().deleteQueues(ORDERS, () -> false));
    assertTrue(queuesOfOrders().hasFirst());
    assertEquals(1, broker().messages(FIRST));
    broker().deleteQueues(ORDERS, () -> true);
    assertEquals(TopicQueues.NONE, queuesOfOrders());
    broker().deleteQueues(ORDERS, () -> true);
    broker().createQueues(ORDERS);
    assertEquals(List.of(), drain(FIRST));
  }

  private TopicQueues queuesOfOrders() {
    return broker().topics().getOrDefault(ORDERS.name(), TopicQueues.NONE);
  }

  @Test
  default void deletingQueuesRemovesWhatIsInThemAndRepeatingItIsNoError() {
    broker().deleteQueues(ORDERS);
    broker().createQueues(ORDERS);
    enqueue(FIRST, 1, 2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.quarantine(await(session, FIRST, 1).get(0), died(1), now().plusSeconds(3600));
      session.commit();
    }
    broker().deleteQueues(ORDERS);
    broker().deleteQueues(ORDERS);
    assertEquals(new Broker.QueueCounts(0, 0, 0), broker().counts(FIRST));
    assertEquals(0, broker().deadLetters(ORDERS.name()));
    broker().createQueues(ORDERS);
    assertEquals(List.of(), drain(FIRST));
    assertEquals(0, broker().deadLetters(ORDERS.name()));
  }

  @Test
  default void aWellConfiguredBrokerHasNoViolations() {
    assertEquals(List.of(), broker().violations());
  }

  // The fields of a message.

  @Test
  default void everyFieldOfAMessageIsKeptThroughACrash() {
    broker().createQueues(ORDERS);
    StoredMessage plain = send(FIRST, message(FIRST, 1));
    StoredMessage awkward = send(FIRST, awkwardMessage(FIRST, Long.MAX_VALUE));
    StoredMessage unread =
        new StoredMessage(
            plain.envelope().withAttempt(3).withSeq(3),
            plain.payload(),
            "earlier",
            plain.expiresAt(),
            Duration.ofSeconds(17),
            MessageHistory.NONE,
            SampleMessages.TRACE);
    send(FIRST, unread);
    crashAndReopen();
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<StoredMessage> kept = await(session, FIRST, 3).stream().map(Delivery::message).toList();
      assertEquals(List.of(plain, awkward, unread), kept);
      kept.forEach(m -> assertTrue(m.envelope().isIntact(m.payload())));
    }
  }

  @Test
  default void aTraceOutlastsEveryDeliveryThatFails() {
    broker().createQueues(ORDERS);
    TraceContext stateless = new TraceContext(SampleMessages.TRACE.parent(), null);
    send(FIRST, SampleMessages.within(stateless, message(FIRST, 1)));
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      Delivery first = await(session, FIRST, 1).get(0);
      assertEquals(stateless, first.message().trace());
      Instant due = now().plusMillis(1);
      session.redeliver(first, refused(1, "refused"), due, dayLater());
      session.commit();
      passUntil(due);
      Delivery second = await(session, FIRST, 1).get(0);
      assertEquals(stateless, second.message().trace());
      session.quarantine(second, died(2), now().plus(Duration.ofDays(1)));
      session.commit();
    }
    assertEquals(stateless, Objects.requireNonNull(onlyDeadLetter().message()).trace());
  }

  @Test
  default void payloadsFromNothingToOneMebibyteAreKept() {
    broker().createQueues(ORDERS);
    Random random = new Random(17);
    List<StoredMessage> sent = new ArrayList<>();
    long seq = 0;
    for (int size : new int[] {0, 1, 1 << 20, 0, 102_399, 102_400, 102_401, 1 << 20, 1 << 20, 7}) {
      byte[] bytes = new byte[size];
      random.nextBytes(bytes);
      StoredMessage message =
          SampleMessages.message(FIRST, ++seq, now(), bytes, Attributes.NONE, null);
      sent.add(send(FIRST, message));
    }
    crashAndReopen();
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      List<StoredMessage> kept =
          await(session, FIRST, sent.size()).stream().map(Delivery::message).toList();
      assertEquals(sent, kept);
    }
  }

  // Helpers.

  private static Quarantine died(int attempt) {
    return new Quarantine(DeadLetterReason.MAX_ATTEMPTS, attempt, "refused");
  }

  /** An expiry that no test reaches. */
  private Instant dayLater() {
    return Timestamps.truncated(now().plus(Duration.ofDays(1)));
  }

  private StoredMessage message(ShardId shard, long seq) {
    return SampleMessages.message(shard, seq, now());
  }

  private StoredMessage awkwardMessage(ShardId shard, long seq) {
    return SampleMessages.message(
        shard,
        seq,
        now(),
        new byte[0],
        SampleMessages.awkwardAttributes(),
        new Signature("s".repeat(Signature.MAX_LENGTH)));
  }

  private StoredMessage send(ShardId shard, StoredMessage message) {
    try (BrokerSession session = SampleLog.open(broker(), 99)) {
      session.enqueue(shard, message, null);
      session.commit();
    }
    return message;
  }

  private void enqueue(ShardId shard, long... seqs) {
    try (BrokerSession session = SampleLog.open(broker(), 99)) {
      for (long seq : seqs) {
        session.enqueue(shard, message(shard, seq), null);
      }
      session.commit();
    }
  }

  /** Takes and acknowledges everything that is ready. */
  private List<Long> drain(ShardId shard) {
    List<Long> drained = new ArrayList<>();
    try (BrokerSession session = SampleLog.open(broker(), 98)) {
      for (List<Delivery> some = session.fetch(shard, 100, true).deliveries();
          !some.isEmpty();
          some = session.fetch(shard, 100, true).deliveries()) {
        drained.addAll(seqs(some));
        some.forEach(session::acknowledge);
        session.commit();
      }
    }
    return drained;
  }

  /** Exactly {@code count} messages, from as many fetches as it takes. */
  private static List<Delivery> await(BrokerSession session, ShardId shard, int count) {
    List<Delivery> fetched = new ArrayList<>();
    eventually(
        () -> {
          fetched.addAll(session.fetch(shard, count - fetched.size(), true).deliveries());
          return fetched.size() == count;
        });
    return fetched;
  }

  /** Fetches until a message comes, which must not be before {@code due}. */
  private List<Delivery> fetchNotBefore(Instant due, BrokerSession session) {
    List<Delivery> fetched = session.fetch(FIRST, 1, true).deliveries();
    while (fetched.isEmpty()) {
      assertTrue(now().isBefore(due.plus(PATIENCE)), "not visible when it was due");
      passUntil(now().plusMillis(20));
      fetched = session.fetch(FIRST, 1, true).deliveries();
    }
    assertFalse(now().isBefore(due), "visible before it was due");
    return fetched;
  }

  private ObservedLetter onlyDeadLetter() {
    List<ObservedLetter> letters = deadLetters(ORDERS.name());
    assertEquals(1, letters.size());
    return letters.get(0);
  }

  private static boolean acquired(Semaphore arrivals) {
    try {
      return arrivals.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void eventually(BooleanSupplier condition) {
    Deadline.in(PATIENCE).await(condition::getAsBoolean, () -> "what was to happen");
  }
}
