package org.svcmailbox.ejb.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.ExpiryPolicy;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EachWay;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Dead;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Sorted;

@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
final class UndeliverableSorterTest {
  private static final Duration RETENTION = ArtemisFixture.RETENTION;
  private static final Duration BRIEF = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Way way;
  private ArtemisFixture fixture;
  private UndeliverableSorter sorter;

  UndeliverableSorterTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture =
        brokers.start(
            EmbeddedArtemis.Options.standard()
                .with(EmbeddedArtemis.settings().setMaxDeliveryAttempts(2)),
            way);
    fixture.broker().createQueues(ORDERS);
    sorter = fixture.sorter();
  }

  @AfterEach
  void stop() {
    sorter.close();
    fixture.close();
  }

  private static Sorted died(DeadLetterReason reason) {
    return new Sorted(Map.of(new Dead(FIRST, ORDERS.name(), reason), 1), 0, 0, 0);
  }

  @Test
  void nothingToSortIsNothingDone() {
    assertEquals(new Sorted(Map.of(), 0, 0, 0), sorter.step());
  }

  @Test
  void anExpiredMessageBecomesADeadLetterOfItsTopic() {
    StoredMessage sent = send(1, Instant.now().plusMillis(50));
    awaitUndeliverable(1);
    assertTrue(hasUndeliverable());
    assertEquals(died(DeadLetterReason.EXPIRED), sorter.step());
    assertFalse(hasUndeliverable());
    ObservedLetter letter = onlyDeadLetter();
    assertEquals(DeadLetterReason.EXPIRED, letter.why().reason());
    assertEquals("nobody received it within its retention", letter.why().lastError());
    assertEquals(0, letter.why().attempt(), "it had no delivery");
    assertEquals(
        sent.envelope().withAttempt(0), Objects.requireNonNull(letter.message()).envelope());
    assertEquals(sent.payload(), letter.message().payload());
    assertEquals(SampleMessages.TRACE, letter.message().trace());
    long kept = Duration.between(Instant.now(), letter.expiresAt()).toMinutes();
    assertTrue(kept > RETENTION.toMinutes() - 5 && kept <= RETENTION.toMinutes(), "kept " + kept);
    assertEquals(0, undeliverable());
  }

  @Test
  void anExpiredMessageFromBeforeTheSessionGoesBackOnce() {
    StoredMessage sent = sendBriefly(Instant.now());
    Instant session = Instant.now().plusSeconds(10);
    fixture.sessionSince(session);
    awaitUndeliverable(1);
    try (UndeliverableSorter returning = fixture.sorter()) {
      assertEquals(new Sorted(Map.of(), 0, 0, 0, 1, Set.of(FIRST)), returning.step());
    }
    assertEquals(List.of(), fixture.deadLetters(ORDERS.name()));
    try (BrokerSession reader = SampleLog.open(fixture.broker(), 0)) {
      StoredMessage back = awaitFirst(reader);
      assertEquals(sent.envelope(), back.envelope());
      assertTrue(back.envelope().isIntact(back.payload()));
      assertEquals(ExpiryPolicy.MAY_HAVE_BEEN_HELD, back.lastError());
      assertEquals(BRIEF, back.ttl());
      // The message was sent a moment after its life was computed.
      long life = Duration.between(session, back.expiresAt()).toMillis();
      assertTrue(
          life >= 0 && life <= BRIEF.toMillis(), "its life counts from the session: " + life);
    }
  }

  @Test
  void aLetterFromBeforeTheSessionDoesNotSayThatNobodyHadIt() {
    sendBriefly(Instant.now());
    Instant session = Instant.now().plusMillis(1);
    fixture.sessionSince(session);
    awaitUndeliverable(1);
    ArtemisFixture.passUntil(session.plus(BRIEF));
    try (UndeliverableSorter ending = fixture.sorter()) {
      assertEquals(died(DeadLetterReason.EXPIRED), ending.step());
    }
    assertEquals(ExpiryPolicy.MAY_HAVE_BEEN_HELD, onlyDeadLetter().why().lastError());
  }

  private StoredMessage sendBriefly(Instant now) {
    StoredMessage message = SampleMessages.message(FIRST, 1, now);
    StoredMessage brief =
        new StoredMessage(
            message.envelope(),
            message.payload(),
            null,
            now.plus(BRIEF),
            BRIEF,
            MessageHistory.NONE,
            null);
    enqueue(brief);
    return brief;
  }

  private static StoredMessage awaitFirst(BrokerSession reader) {
    Instant deadline = Instant.now().plus(PATIENCE);
    List<Delivery> got = List.of();
    while (got.isEmpty()) {
      assertTrue(Instant.now().isBefore(deadline), "it does not come back");
      got = reader.fetch(FIRST, 1, true).deliveries();
    }
    return got.get(0).message();
  }

  @Test
  void aMessageWhoseDeliveriesKeepFailingBecomesADeadLetterOfItsTopic() {
    StoredMessage sent = send(1, Instant.now().plus(Duration.ofDays(1)));
    failDeliveries(2);
    awaitUndeliverable(1);
    assertEquals(died(DeadLetterReason.MAX_DELIVERY), sorter.step());
    ObservedLetter letter = onlyDeadLetter();
    assertEquals(DeadLetterReason.MAX_DELIVERY, letter.why().reason());
    assertEquals(
        sent.envelope().withAttempt(0), Objects.requireNonNull(letter.message()).envelope());
    assertEquals(0, fixture.broker().counts(FIRST).messages());
  }

  @Test
  void aDeadLetterWhoseRetentionIsOverEndsHere() {
    send(1, Instant.now().plus(Duration.ofDays(1)));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 5, "refused");
      session.quarantine(
          session.fetch(FIRST, 1, true).deliveries().get(0), why, Instant.now().plusMillis(50));
      session.commit();
    }
    awaitUndeliverable(1);
    assertEquals(new Sorted(Map.of(), 0, 1, 0), sorter.step());
    assertEquals(0, undeliverable());
    assertEquals(List.of(), fixture.deadLetters(ORDERS.name()));
  }

  @Test
  void aDeadLetterThatItsReadersFailOnGoesBackWithItsReason() {
    send(1, Instant.now().plus(Duration.ofDays(1)));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 5, "refused");
      session.quarantine(
          session.fetch(FIRST, 1, true).deliveries().get(0), why, Instant.now().plus(RETENTION));
      session.commit();
    }
    fixture.failDeliveries(QueueNames.deadLetters(ORDERS.name(), 0), 2);
    awaitUndeliverable(1);
    assertEquals(new Sorted(Map.of(), 1, 0, 0), sorter.step());
    assertEquals(
        new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 5, "refused"), onlyDeadLetter().why());
  }

  @Test
  void anUnreadableMessageIsSortedByWhereItCameFrom() {
    fixture.plant(QueueNames.of(FIRST), 1);
    failDeliveries(2);
    awaitUndeliverable(1);
    assertEquals(died(DeadLetterReason.UNREADABLE), sorter.step());
    assertNull(onlyDeadLetter().message());
  }

  @Test
  void aMessageThatDoesNotSayWhereItBelongsBecomesALetterOfTheTopicForThose() {
    fixture.plant(QueueNames.UNDELIVERABLE, 1);
    Dead dead = new Dead(null, TopicDirectory.UNSORTED, DeadLetterReason.UNREADABLE);
    assertEquals(new Sorted(Map.of(dead, 1), 0, 0, 0), sorter.step());
    ObservedLetter kept = fixture.deadLetters(TopicDirectory.UNSORTED).get(0);
    assertNull(kept.message());
    assertTrue(kept.expiresAt().isBefore(Instant.now().plus(ArtemisFixture.OTHERS_RETENTION)));
    assertEquals(0, undeliverable());
    DeadLetter listed = fixture.broker().letterQueues().browse(TopicDirectory.UNSORTED, 0).get(0);
    assertEquals(TopicDirectory.UNSORTED, listed.topic());
  }

  /** Its topic is gone, and no other is made for what ends anyway. */
  @Test
  void anUnreadableLetterWhoseRetentionIsOverEndsHere() {
    fixture.plant(QueueNames.of(FIRST), 1);
    ICoreMessage letter = fixture.browse(QueueNames.of(FIRST)).get(0).message().copy();
    letter.putStringProperty(MessageCodec.REASON, SimpleString.of("unreadable"));
    letter.putLongProperty(MessageCodec.DEAD_AT, 1);
    letter.putLongProperty(Message.HDR_ACTUAL_EXPIRY_TIME, System.currentTimeMillis());
    letter.putStringProperty(Message.HDR_ORIGINAL_QUEUE, SimpleString.of("mailbox.dlq.gone.0"));
    fixture.inSession(session -> session.createProducer(QueueNames.UNDELIVERABLE).send(letter));
    assertEquals(new Sorted(Map.of(), 0, 1, 0), sorter.step());
    assertFalse(fixture.artemis().hasQueue(QueueNames.deadLetters(TopicDirectory.UNSORTED, 0)));
  }

  @Test
  void aMessageOfATopicThatIsGoneEndsWithIt() {
    send(1, Instant.now().plusMillis(50));
    awaitUndeliverable(1);
    fixture.broker().deleteQueues(ORDERS);
    assertEquals(new Sorted(Map.of(), 0, 0, 1), sorter.step());
    assertEquals(0, undeliverable());
  }

  @Test
  void aMessageWhoseQueueIsNotedWrongIsSortedByItsEnvelope() {
    send(1, Instant.now().plusMillis(50));
    awaitUndeliverable(1);
    Received original = fixture.browse(QueueNames.UNDELIVERABLE).get(0);
    for (String noted : List.of("mailbox.topic.orderz.0", "none")) {
      fixture.inSession(session -> planted(session, original, noted));
    }
    Map<Dead, Integer> dead = sorter.step().dead();
    assertEquals(3, dead.values().stream().mapToInt(Integer::intValue).sum());
    assertEquals(3, fixture.deadLetters(ORDERS.name()).size());
  }

  /** A copy of what the broker gave up on, as if it came from another queue. */
  private static void planted(ClientSession session, Received original, String noted)
      throws ActiveMQException {
    ICoreMessage copy = original.message().copy();
    copy.putStringProperty(Message.HDR_ORIGINAL_QUEUE, SimpleString.of(noted));
    copy.setExpiration(0);
    session.createProducer(QueueNames.UNDELIVERABLE).send(copy);
  }

  @Test
  void whatWasRefusedBeforeItExpiredTellsHowOftenItWasDelivered() {
    StoredMessage sent = message(1, Instant.now().plusMillis(50));
    enqueue(sent.failed(SampleMessages.refused(2, "refused"), sent.expiresAt()));
    awaitUndeliverable(1);
    sorter.step();
    ObservedLetter letter = onlyDeadLetter();
    assertEquals(new Quarantine(DeadLetterReason.EXPIRED, 2, "refused"), letter.why());
  }

  @Test
  void aLetterThatWasUnreadableGoesBackToItsTopic() {
    fixture.plant(QueueNames.of(FIRST), 1);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      assertEquals(1, session.fetch(FIRST, 1, true).leftOut().size());
      session.commit();
    }
    fixture.failDeliveries(QueueNames.deadLetters(ORDERS.name(), 0), 2);
    awaitUndeliverable(1);
    assertEquals(new Sorted(Map.of(), 1, 0, 0), sorter.step());
    assertEquals(DeadLetterReason.UNREADABLE, onlyDeadLetter().why().reason());
  }

  @Test
  void oneStepIsBounded() {
    int count = UndeliverableSorter.BATCH + 20;
    Instant expiresAt = Instant.now().plusMillis(50);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (long seq = 1; seq <= count; seq++) {
        session.enqueue(FIRST, message(seq, expiresAt), null);
      }
      session.commit();
    }
    awaitUndeliverable(count);
    assertEquals(
        Map.of(new Dead(FIRST, ORDERS.name(), DeadLetterReason.EXPIRED), UndeliverableSorter.BATCH),
        sorter.step().dead());
    assertEquals(20, sorter.step().total());
    assertEquals(0, sorter.step().total());
    assertEquals(count, fixture.broker().deadLetters(ORDERS.name()));
  }

  @Test
  void oneStepIsBoundedByBytesToo() {
    Instant expiresAt = Instant.now().plusMillis(50);
    int size = (int) UndeliverableSorter.BATCH_BYTES / 16;
    for (long seq = 1; seq <= 20; seq++) {
      StoredMessage message =
          SampleMessages.message(FIRST, seq, Instant.now(), new byte[size], Attributes.NONE, null);
      enqueue(new StoredMessage(message.envelope(), message.payload(), null, expiresAt));
    }
    awaitUndeliverable(20);
    assertEquals(List.of(16, 4), List.of(sorter.step().total(), sorter.step().total()));
  }

  @Test
  void aStepThatFailsHalfWayOrIsInterruptedLosesAndDoublesNothing() {
    fixture.plant(QueueNames.UNDELIVERABLE, 1);
    assertEquals(1, sorter.step().total());
    // It would take a share of the messages.
    sorter.close();
    for (long seq = 1; seq <= 3; seq++) {
      send(seq, Instant.now().plusMillis(50));
    }
    awaitUndeliverable(3);
    // It comes last, when three letters are staged.
    fixture.plant(QueueNames.UNDELIVERABLE, 1);
    UndeliverableSorter failing = fixture.broker().undeliverableSorter(this::fail, fixture.lives());
    assertThrows(IllegalStateException.class, failing::step);
    assertEquals(List.of(), fixture.deadLetters(ORDERS.name()));
    UndeliverableSorter interrupted = fixture.sorter(() -> Thread.currentThread().interrupt());
    assertThrows(UnavailableException.class, interrupted::step);
    assertTrue(Thread.interrupted(), "the interrupt is kept");
    // The interrupted commit may have taken place.
    Instant end = Instant.now().plus(PATIENCE);
    while (undeliverable() > 0 && Instant.now().isBefore(end)) {
      sorter.step();
    }
    assertEquals(3, fixture.deadLetters(ORDERS.name()).size());
    assertEquals(2, fixture.deadLetters(TopicDirectory.UNSORTED).size());
  }

  private void fail() {
    throw new IllegalStateException("half way");
  }

  @Test
  void aStepThatFailsIsMadeUpForByTheNext() {
    send(1, Instant.now().plusMillis(50));
    awaitUndeliverable(1);
    sorter.step();
    fixture.artemis().close();
    assertThrows(UnavailableException.class, sorter::step);
    fixture.artemis().startAgain();
    assertEquals(0, sorter.step().total());
    assertEquals(DeadLetterReason.EXPIRED, onlyDeadLetter().why().reason());
  }

  private StoredMessage message(long seq, Instant expiresAt) {
    StoredMessage message = SampleMessages.message(FIRST, seq, Instant.now());
    return new StoredMessage(
        message.envelope(), message.payload(), null, expiresAt, SampleMessages.TRACE);
  }

  private StoredMessage send(long seq, Instant expiresAt) {
    StoredMessage message = message(seq, expiresAt);
    enqueue(message);
    return message;
  }

  private void enqueue(StoredMessage message) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.enqueue(FIRST, message, null);
      session.commit();
    }
  }

  private void failDeliveries(int times) {
    fixture.failDeliveries(QueueNames.of(FIRST), times);
  }

  private boolean hasUndeliverable() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      return session.hasUndeliverable();
    }
  }

  private long undeliverable() {
    return fixture.count(QueueNames.UNDELIVERABLE);
  }

  private void awaitUndeliverable(int count) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (undeliverable() < count) {
      assertTrue(Instant.now().isBefore(deadline), "only " + undeliverable());
      ArtemisFixture.passUntil(Instant.now().plusMillis(5));
    }
  }

  private ObservedLetter onlyDeadLetter() {
    List<ObservedLetter> letters = fixture.deadLetters(ORDERS.name());
    assertEquals(1, letters.size());
    return letters.get(0);
  }
}
