package org.svcmailbox.ejb.letters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EachWay;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;

/** Dead letters as the adapter reports them, and as it shows them afterwards. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
final class ArtemisLettersTest {
  private static final Topic ORDERS = BrokerContract.ORDERS;
  private static final TopicName NAME = ORDERS.name();
  private static final ShardId SHARD = ORDERS.shard(0);

  private final Way way;
  private ArtemisFixture fixture;
  private LetterQueues queues;
  private final List<DeadLetter> told = new ArrayList<>();

  ArtemisLettersTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    fixture.broker().createQueues(ORDERS);
    fixture.broker().onDeath(told::addAll);
    queues = fixture.broker().letterQueues();
  }

  private StoredMessage send(long seq) {
    StoredMessage message =
        SampleMessages.message(
            SHARD,
            seq,
            Instant.now(),
            new byte[] {1, 2, 3},
            SampleMessages.awkwardAttributes(),
            null);
    StoredMessage traced = SampleMessages.within(SampleMessages.TRACE, message);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.enqueue(SHARD, traced, null);
      session.commit();
    }
    return traced;
  }

  private static Quarantine died() {
    return Quarantine.after(SampleMessages.refused(5, "refused"), DeadLetterReason.MAX_ATTEMPTS);
  }

  /** Waits for a message that comes back after its end was rolled back: the broker pauses then. */
  private void deadLetter(BrokerSession session) {
    List<Delivery> delivered = List.of();
    Instant deadline = Instant.now().plusSeconds(10);
    while (delivered.isEmpty() && Instant.now().isBefore(deadline)) {
      delivered = session.fetch(SHARD, 1, true).deliveries();
    }
    session.quarantine(delivered.get(0), died(), Instant.now().plusSeconds(3_600));
  }

  @Test
  void itIsToldOfALetterWhenItIsOnDiskAndOfNoneThatCameToNothing() {
    StoredMessage sent = send(1);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      deadLetter(session);
    }
    assertEquals(List.of(), told, "the session ended before its commit");
    Instant before = Instant.now().minusMillis(1);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      deadLetter(session);
      assertEquals(List.of(), told, "not committed yet");
      session.commit();
      assertEquals(1, told.size());
      session.commit();
    }
    assertEquals(1, told.size());
    DeadLetter letter = told.get(0);
    assertEquals(NAME, letter.topic());
    assertEquals(sent.envelope().msgId(), letter.msgId());
    assertEquals(sent.envelope().withAttempt(5), letter.envelope());
    assertEquals(DeadLetterReason.MAX_ATTEMPTS, letter.reason());
    assertEquals("refused", letter.lastError());
    assertEquals(3, letter.bytes());
    assertFalse(letter.deadAt().isBefore(before));
    assertEquals(told, queues.browse(NAME, 0), "and the queue says the same");
    assertEquals(Map.of(NAME, Map.of(0, 1L)), queues.counts());
  }

  @Test
  void aLetterIsReadWithEverythingThatIsInIt() {
    send(1);
    StoredMessage sent = send(2);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      deadLetter(session);
      deadLetter(session);
      session.commit();
    }
    LetterContent content = queues.read(told.get(1)).orElseThrow();
    assertEquals(told.get(1), content.letter());
    assertEquals(sent.payload(), content.payload());
    assertEquals(MessageHistory.NONE.with(SampleMessages.refused(5, "refused")), content.history());
    assertEquals(SampleMessages.TRACE, content.trace());
    assertTrue(content.expiresAt().isAfter(Instant.now().plusSeconds(3_000)));
    assertEquals(2, fixture.broker().deadLetters(NAME), "looking changes nothing");
    fixture.broker().removeDeadLetters(NAME, 1);
    assertEquals(Optional.empty(), queues.read(told.get(0)));
    assertTrue(queues.read(told.get(1)).isPresent());
  }

  @Test
  void whatCannotBeReadIsALetterThatCanBeAskedForAllTheSame() {
    fixture.plant(QueueNames.of(SHARD), 2);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      int unreadable = 0;
      while (unreadable < 2) {
        unreadable += session.fetch(SHARD, 10, true).leftOut().size();
        session.commit();
      }
    }
    assertEquals(2, told.size());
    assertNotEquals(told.get(0).msgId(), told.get(1).msgId());
    assertNull(told.get(0).envelope());
    assertEquals(DeadLetterReason.UNREADABLE, told.get(0).reason());
    assertEquals(told, queues.browse(NAME, 0));
    LetterContent content = queues.read(told.get(1)).orElseThrow();
    assertEquals("garbage", new String(content.payload().bytes(), UTF_8));
  }

  @Test
  void whatSomebodyElsePutThereHasAPlaceThatStays() {
    fixture.plant(QueueNames.deadLetters(NAME, 0), 3);
    List<DeadLetter> first = queues.browse(NAME, 0);
    assertEquals(3, first.stream().map(DeadLetter::position).distinct().count());
    assertEquals(first, queues.browse(NAME, 0));
    assertEquals(first.get(1), queues.read(first.get(1)).map(LetterContent::letter).orElseThrow());
  }

  @Test
  void ofWhatIsGoneThereIsNothing() {
    assertEquals(List.of(), queues.browse(NAME, 7));
    assertEquals(Map.of(), queues.counts());
    fixture.broker().deleteQueues(ORDERS);
    assertEquals(List.of(), queues.browse(NAME, 0));
    assertEquals(Map.of(), queues.counts());
  }

  @Test
  void whatTheBrokerMovedByItselfIsToldToo() {
    StoredMessage any = SampleMessages.message(SHARD, 1, Instant.now());
    StoredMessage sent =
        new StoredMessage(any.envelope(), any.payload(), null, Instant.now().plusMillis(50));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0);
        UndeliverableSorter sorter = fixture.sorter()) {
      session.enqueue(SHARD, sent, null);
      session.commit();
      Instant deadline = Instant.now().plusSeconds(10);
      while (told.isEmpty() && Instant.now().isBefore(deadline)) {
        sorter.step();
      }
    }
    assertEquals(1, told.size());
    assertEquals(sent.envelope().withAttempt(0), told.get(0).envelope());
    assertEquals(DeadLetterReason.EXPIRED, told.get(0).reason());
    assertEquals(told, queues.browse(NAME, 0));
  }
}
