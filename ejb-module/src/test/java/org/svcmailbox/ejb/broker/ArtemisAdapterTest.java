package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;
import static org.svcmailbox.core.broker.BrokerContract.SECOND;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.codec.EnvelopeCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.ShardConsumer;

/** Behaviour of the adapter that is specific to Artemis, beyond the contract. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
final class ArtemisAdapterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Brokers brokers;
  private final Way way;
  private ArtemisFixture fixture;

  ArtemisAdapterTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers given) {
    brokers = given;
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    fixture.broker().createQueues(ORDERS);
  }

  private void startAnew(EmbeddedArtemis.Options options) {
    fixture.close();
    fixture = brokers.start(options, way);
    fixture.broker().createQueues(ORDERS);
  }

  @Test
  void operatorsCanFilterByWhatAMessageSays() {
    MsgId wanted = send(FIRST, 1).envelope().msgId();
    send(FIRST, 2);
    List<Long> found = new ArrayList<>();
    fixture.inSession(
        session -> {
          String filter = "mailbox_msg_id = '" + wanted + "' AND mailbox_attempt = 1";
          try (ClientConsumer browser =
              session.createConsumer(QueueNames.of(FIRST).toString(), filter, true)) {
            for (ClientMessage next = browser.receiveImmediate();
                next != null;
                next = browser.receiveImmediate()) {
              found.add(next.getLongProperty("mailbox_seq"));
            }
          }
        });
    assertEquals(List.of(1L), found);
  }

  @Test
  void aDeadLetterSaysWhenAndWhyInPropertiesOfItsOwn() {
    send(FIRST, 1);
    Instant before = Instant.now();
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Quarantine why = new Quarantine(DeadLetterReason.INTEGRITY, 3, "hash differs");
      session.quarantine(
          session.fetch(FIRST, 1, true).deliveries().get(0), why, before.plusSeconds(60));
      session.commit();
    }
    ICoreMessage letter = fixture.browse(QueueNames.deadLetters(ORDERS.name(), 0)).get(0).message();
    assertEquals("integrity", letter.getStringProperty("mailbox_reason"));
    assertEquals("hash differs", letter.getStringProperty("mailbox_last_error"));
    assertEquals(3, letter.getIntProperty("mailbox_attempt"));
    long deadAt = letter.getLongProperty("mailbox_dead_at");
    assertTrue(deadAt >= before.toEpochMilli() && deadAt <= System.currentTimeMillis());
  }

  @Test
  void anOrderlyRestartKeepsEverythingInOrder() {
    LongStream.rangeClosed(1, 5).forEach(seq -> send(FIRST, seq));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.acknowledge(session.fetch(FIRST, 1, true).deliveries().get(0));
      SampleLog.of(session).append(12);
      session.commit();
    }
    fixture.restart();
    assertEquals(12, SampleLog.lastBatch(fixture.broker(), 0));
    assertEquals(List.of(2L, 3L, 4L, 5L), drain(FIRST));
  }

  @Test
  void aLogIsNeverLongerThanItsWindow() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      SampleLog log = SampleLog.of(session);
      for (long batch = 1; batch <= 500; batch++) {
        log.append(batch);
        session.commit();
      }
    }
    assertEquals(SampleLog.WINDOW.entries(), fixture.count(QueueNames.log(WorkerId.of(0))));
    fixture.crash();
    assertEquals(500, SampleLog.lastBatch(fixture.broker(), 0));
    assertEquals(SampleLog.WINDOW.entries(), fixture.count(QueueNames.log(WorkerId.of(0))));
  }

  @Test
  void somethingElseInALogIsLeftThereAndDisturbsNobody() {
    SampleLog.open(fixture.broker(), 0).close();
    fixture.plant(QueueNames.log(WorkerId.of(0)), 1);
    for (long batch = 1; batch <= 20; batch++) {
      try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
        SampleLog.of(session).append(batch);
        session.commit();
      }
    }
    assertEquals(20, SampleLog.lastBatch(fixture.broker(), 0));
    assertEquals(SampleLog.WINDOW.entries() + 1, fixture.count(QueueNames.log(WorkerId.of(0))));
  }

  @Test
  void largePayloadsInAJournalThatHoldsThemAreNotStreamed() {
    startAnew(EmbeddedArtemis.Options.standard().withJournalBuffer(2 * 1024 * 1024));
    StoredMessage sent = send(FIRST, message(FIRST, 1, 1 << 20));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      assertEquals(sent, session.fetch(FIRST, 1, true).deliveries().get(0).message());
    }
    assertFalse(fixture.browse(QueueNames.of(FIRST)).get(0).message().isLargeMessage());
  }

  @Test
  void certainFetchesInARowEmptyAQueueOfPayloadsLargerThanTheWindow() {
    List<StoredMessage> large =
        LongStream.rangeClosed(1, 4).mapToObj(seq -> message(FIRST, seq, 1 << 20)).toList();
    for (int round = 0; round < 20; round++) {
      large.forEach(message -> send(FIRST, message));
      try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
        for (long seq = 1; seq <= 4; seq++) {
          List<Delivery> fetched = session.fetch(FIRST, 1, true).deliveries();
          assertEquals(List.of(seq), SampleMessages.seqs(fetched), "round " + round);
          session.acknowledge(fetched.get(0));
        }
        session.commit();
        assertEquals(List.of(), session.fetch(FIRST, 1, true).deliveries());
      }
    }
  }

  @Test
  void whatTheClientMayHoldIsBounded() {
    int count = 2_000;
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (long seq = 1; seq <= count; seq++) {
        session.enqueue(FIRST, message(FIRST, seq, 1024), null);
      }
      session.commit();
      session.fetch(FIRST, 1, true).deliveries();
      List<Delivery> prefetched = new ArrayList<>();
      ArtemisFixture.passUntil(Instant.now().plusMillis(200));
      try (BrokerSession other = SampleLog.open(fixture.broker(), 1)) {
        prefetched.addAll(other.fetch(FIRST, 1, true).deliveries());
      }
      assertEquals(1, prefetched.size());
      long first = prefetched.get(0).message().envelope().seq();
      assertTrue(first * 1024 <= ShardConsumer.WINDOW_BYTES, "another gets " + first);
    }
  }

  @Test
  void moreThanTheClientMayHoldComesWithoutAskingForCertain() {
    int count = 2_000;
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (long seq = 1; seq <= count; seq++) {
        session.enqueue(FIRST, message(FIRST, seq, 1024), null);
      }
      session.commit();
      List<Delivery> fetched = fetchEventually(session, count, false);
      assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), SampleMessages.seqs(fetched));
    }
  }

  @Test
  void anExpiredMessageIsFoundBehindOthersThatTheBrokerHandedOver() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (long seq = 1; seq <= 4; seq++) {
        StoredMessage message = SampleMessages.message(FIRST, seq, Instant.now());
        Instant end = Instant.now().plus(seq == 3 ? Duration.ofMillis(500) : PATIENCE);
        session.enqueue(
            FIRST, new StoredMessage(message.envelope(), message.payload(), null, end), null);
      }
      session.commit();
      assertEquals(List.of(1L), SampleMessages.seqs(fetchEventually(session, 1, true)));
      List<Long> expired = new ArrayList<>();
      eventually(
          () -> {
            expired.addAll(SampleMessages.seqs(fetchExpired(session)));
            // Artemis' client has the broker expire a message that it reads too late.
            return !expired.isEmpty() || fixture.count(QueueNames.UNDELIVERABLE) > 0;
          });
      assertTrue(expired.isEmpty() || expired.equals(List.of(3L)), expired.toString());
      assertEquals(List.of(2L, 4L), SampleMessages.seqs(fetchEventually(session, 2, true)));
    }
  }

  private static List<Delivery> fetchExpired(BrokerSession session) {
    BrokerSession.Lifetime ofBroker = (since, end) -> !end.isAfter(Instant.now());
    return session.fetchExpired(FIRST, 10, ofBroker).deliveries();
  }

  /** Each look gives the broker credit for what it took out of the client's buffer. */
  @Test
  void looksForExpiredMessagesHoldTwoWindowsAtMost() {
    int bytes = ShardConsumer.WINDOW_BYTES;
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (long seq = 1; seq <= 100; seq++) {
        session.enqueue(FIRST, message(FIRST, seq, bytes), null);
        session.commit();
      }
      assertEquals(List.of(1L), SampleMessages.seqs(fetchEventually(session, 1, true)));
      for (int look = 0; look < 50; look++) {
        ArtemisFixture.passUntil(Instant.now().plusMillis(5));
        assertEquals(List.of(), fetchExpired(session));
      }
      Queue queue = fixture.artemis().server().locateQueue(QueueNames.of(FIRST));
      int ahead = queue.getDeliveringCount() - 1;
      assertTrue(ahead <= 2, () -> ahead + " messages of a window each");
      List<Long> rest = LongStream.rangeClosed(2, 100).boxed().toList();
      assertEquals(rest, SampleMessages.seqs(fetchEventually(session, 99, true)));
    }
  }

  @Test
  void moreUnreadableMessagesThanOneFetchTakesAreTakenByTheNext() {
    int unreadable = ArtemisBrokerSession.MOST_LEFT_OUT + 10;
    fixture.plant(QueueNames.of(FIRST), unreadable);
    send(FIRST, 1);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      List<Delivery> fetched = new ArrayList<>();
      eventually(
          () -> {
            fetched.addAll(session.fetch(FIRST, 1, true).deliveries());
            session.commit();
            return !fetched.isEmpty();
          });
    }
    assertEquals(unreadable, fixture.broker().deadLetters(ORDERS.name()));
  }

  @Test
  void queuesThatSomeoneReceivesFromCanBeDeleted() {
    send(FIRST, 1);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.fetch(FIRST, 1, true).deliveries();
      fixture.broker().deleteQueues(ORDERS);
      assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    }
    assertFalse(fixture.artemis().hasQueue(QueueNames.of(FIRST)));
    assertFalse(fixture.artemis().hasAddress(QueueNames.of(FIRST)));
    assertFalse(fixture.artemis().hasAddress(QueueNames.deadLetters(ORDERS.name(), 0)));
  }

  @Test
  void aSendToAQueueThatWentAwayFailsTheWholeTransaction() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.enqueue(FIRST, message(FIRST, 1, 10), null);
      session.commit();
      fixture.broker().deleteQueues(ORDERS);
      session.enqueue(FIRST, message(FIRST, 2, 10), null);
      SampleLog.of(session).append(1);
      assertThrows(UnavailableException.class, session::commit);
    }
    assertEquals(0, SampleLog.lastBatch(fixture.broker(), 0));
  }

  @Test
  void everythingIsUnavailableWhileTheBrokerIsAwayAndWorksAgainAfterwards() {
    send(FIRST, 1);
    ArtemisBroker broker = fixture.broker();
    BrokerSession session = SampleLog.open(broker, 0);
    session.fetch(FIRST, 1, true).deliveries();
    EmbeddedArtemis gone = fixture.artemis();
    gone.close();
    assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    assertThrows(UnavailableException.class, session::commit);
    session.close();
    assertThrows(UnavailableException.class, () -> SampleLog.open(broker, 0));
    assertThrows(UnavailableException.class, broker::loggedWorkers);
    assertThrows(UnavailableException.class, () -> broker.counts(FIRST));
    assertThrows(UnavailableException.class, () -> broker.deadLetters(ORDERS.name()));
    assertThrows(UnavailableException.class, () -> broker.createQueues(ORDERS));
    assertThrows(UnavailableException.class, () -> broker.deleteQueues(ORDERS));
    assertThrows(UnavailableException.class, broker::violations);
    gone.startAgain();
    eventually(() -> broker.counts(FIRST).messages() == 1);
    assertEquals(List.of(1L), drainEventually(FIRST, 1));
  }

  @Test
  void aPagedBacklogKeepsItsOrder() {
    startAnew(
        EmbeddedArtemis.Options.standard()
            .with(
                EmbeddedArtemis.settings()
                    .setMaxSizeBytes(256 * 1024)
                    .setPageSizeBytes(64 * 1024)));
    int count = 2_000;
    long bytes = 0;
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      SampleLog log = SampleLog.of(session);
      for (long seq = 1; seq <= count; seq++) {
        bytes += session.enqueue(SECOND, message(SECOND, seq, 1024), null);
        if (seq % 50 == 0) {
          log.append(seq);
          session.commit();
        }
      }
    }
    assertTrue(fixture.artemis().isPaging(QueueNames.of(SECOND)));
    assertEquals(new Broker.Held(count, bytes), fixture.broker().held(SECOND));
    assertEquals(count, SampleLog.lastBatch(fixture.broker(), 0));
    assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), drainEventually(SECOND, count));
  }

  @Test
  void aPagedCommitReturnsWhenItIsOnDiskAndNotBefore() {
    startAnew(
        EmbeddedArtemis.Options.standard()
            .with(
                EmbeddedArtemis.settings().setMaxSizeBytes(20 * 1024).setPageSizeBytes(64 * 1024)));
    BrokerSession session = SampleLog.open(fixture.broker(), 0);
    for (long seq = 1; seq <= 40; seq++) {
      session.enqueue(FIRST, message(FIRST, seq, 1024), null);
    }
    session.commit();
    assertTrue(fixture.artemis().isPaging(QueueNames.of(FIRST)));
    session.enqueue(FIRST, message(FIRST, 41, 1024), null);
    session.commit();
    Broker.Held before = fixture.broker().held(FIRST);
    fixture.crash();
    eventually(() -> fixture.broker().held(FIRST).equals(before));
    assertEquals(LongStream.rangeClosed(1, 41).boxed().toList(), drainEventually(FIRST, 41));
    eventually(() -> fixture.broker().held(FIRST).equals(Broker.Held.NOTHING));
  }

  @Test
  void whatAnEarlierVersionStoredWithoutASealIsDelivered() {
    StoredMessage sent = SampleMessages.message(FIRST, 1, Instant.now());
    byte[] envelope = EnvelopeCodec.encode(sent.envelope());
    envelope[0] = 1;
    fixture.inSession(
        session -> {
          CoreMessage old = MessageCodec.encode(sent, Instant.now());
          old.removeProperty(MessageCodec.CHECK);
          old.putBytesProperty(MessageCodec.ENVELOPE, envelope);
          try (ClientProducer producer = session.createProducer(QueueNames.of(FIRST))) {
            producer.send(old);
          }
        });
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      assertEquals(sent, fetchEventually(session, 1, true).get(0).message());
    }
  }

  @Test
  void everythingWorksOnABrokerThatKeepsNothing() {
    startAnew(EmbeddedArtemis.Options.standard().withoutDurability());
    send(FIRST, 1);
    send(FIRST, 2);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      List<Delivery> held = fetchEventually(session, 2, true);
      assertEquals(List.of(1L, 2L), SampleMessages.seqs(held));
      session.redeliver(
          held.get(0),
          SampleMessages.refused(1, "refused"),
          Instant.now(),
          Instant.now().plusSeconds(60));
      SampleLog.of(session).append(7);
      session.commit();
    }
    assertEquals(7, SampleLog.lastBatch(fixture.broker(), 0));
    assertEquals(List.of(1L, 2L), drainEventually(FIRST, 2).stream().sorted().toList());
  }

  @Test
  void aStreamedMessageOfSomeoneElseIsQuarantinedWithItsBody() {
    byte[] body = new byte[3 * 1024 * 1024];
    new Random(5).nextBytes(body);
    fixture.inSession(
        session -> {
          try (ClientProducer producer = session.createProducer(QueueNames.of(FIRST))) {
            ClientMessage foreign = session.createMessage(true);
            foreign.setBodyInputStream(new ByteArrayInputStream(body));
            producer.send(foreign);
          }
        });
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      BrokerSession.Fetched fetched = session.fetch(FIRST, 1, true);
      assertEquals(
          List.of(DeadLetterReason.UNREADABLE),
          fetched.leftOut().stream().map(BrokerSession.LeftOut::reason).toList());
      session.commit();
    }
    List<Received> letters = fixture.browse(QueueNames.deadLetters(ORDERS.name(), 0));
    assertEquals(1, letters.size());
    assertArrayEquals(body, letters.get(0).body());
  }

  @Test
  void whatOneWaySentTheOtherReceivesByteForByte() {
    Way other = way == Way.CLIENT ? Way.DIRECT : Way.CLIENT;
    StoredMessage small = send(FIRST, message(FIRST, 1, 1024));
    StoredMessage large = send(FIRST, message(FIRST, 2, 1 << 20));
    fixture.restart();
    try (ArtemisBroker another = fixture.adapter(other);
        BrokerSession session = SampleLog.open(another, 0)) {
      List<Delivery> fetched = fetchEventually(session, 2, true);
      assertEquals(List.of(small, large), fetched.stream().map(Delivery::message).toList());
    }
  }

  @Test
  void whoeverWatchesIsToldWhenTheQueueIsDeleted() throws InterruptedException {
    Semaphore told = new Semaphore(0);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.watch(FIRST, told::release);
      fixture.broker().deleteQueues(ORDERS);
      boolean isTold = way == Way.DIRECT;
      long patience = isTold ? PATIENCE.toSeconds() : 1;
      assertEquals(isTold, told.tryAcquire(patience, TimeUnit.SECONDS));
      assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true));
    }
  }

  private StoredMessage send(ShardId shard, long seq) {
    return send(shard, message(shard, seq, 10));
  }

  private StoredMessage send(ShardId shard, StoredMessage message) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 99)) {
      session.enqueue(shard, message, null);
      session.commit();
    }
    return message;
  }

  private static StoredMessage message(ShardId shard, long seq, int size) {
    return SampleMessages.message(shard, seq, Instant.now(), new byte[size], Attributes.NONE, null);
  }

  private static List<Delivery> fetchEventually(BrokerSession session, int count, boolean certain) {
    List<Delivery> fetched = new ArrayList<>();
    eventually(
        () -> {
          fetched.addAll(session.fetch(FIRST, count - fetched.size(), certain).deliveries());
          return fetched.size() == count;
        });
    return fetched;
  }

  private List<Long> drain(ShardId shard) {
    List<Long> drained = new ArrayList<>();
    try (BrokerSession session = SampleLog.open(fixture.broker(), 98)) {
      for (List<Delivery> some = session.fetch(shard, 100, true).deliveries();
          !some.isEmpty();
          some = session.fetch(shard, 100, true).deliveries()) {
        drained.addAll(SampleMessages.seqs(some));
        some.forEach(session::acknowledge);
        session.commit();
      }
    }
    return drained;
  }

  private List<Long> drainEventually(ShardId shard, int count) {
    List<Long> drained = new ArrayList<>();
    eventually(
        () -> {
          drained.addAll(drain(shard));
          return drained.size() >= count;
        });
    return drained;
  }

  private static void eventually(BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(deadline), "did not happen within " + PATIENCE);
      ArtemisFixture.passUntil(Instant.now().plusMillis(2));
    }
  }
}
