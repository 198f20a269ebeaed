package org.svcmailbox.ejb.letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.test.concurrent.Deadline;

/** Dead letters over several queues, with little memory, so that the broker pages all of them. */
@ExtendWith(Brokers.Lender.class)
final class LetterSegmentsTest {
  private static final Topic ORDERS = BrokerContract.ORDERS;
  private static final TopicName NAME = ORDERS.name();
  private static final ShardId SHARD = ORDERS.shard(0);
  private static final int KIB = 1_024;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TIMES = 5_000;

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private ArtemisFixture fixture;
  private BrokerConnections connections;
  private BrokerAdmin admin;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard().withMemory(64 * KIB));
    fixture.withClock(now::get).createQueues(ORDERS);
    connect();
  }

  private void connect() {
    connections = new BrokerConnections(BrokerAccess.of(fixture.artemis().locator()));
    admin = new BrokerAdmin(connections);
  }

  @AfterEach
  void stop() {
    admin.close();
    connections.close();
    fixture.close();
  }

  /**
   * Has so many messages die, each with its number as its attempt and in a transaction of its own.
   * One transaction could page letters of a queue and keep the next queue's first in memory. The
   * broker then puts that one behind the letters that follow it.
   */
  private void deadLetter(int first, int count, int bytes) {
    send(first, count, bytes);
    die(first, count, 1);
  }

  private void send(int first, int count, int bytes) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int i = first; i < first + count; i++) {
        StoredMessage message =
            SampleMessages.message(SHARD, i, Instant.now(), new byte[bytes], Attributes.NONE, null);
        session.enqueue(SHARD, message, null);
      }
      session.commit();
    }
  }

  /** Has so many messages die, at most {@code most} in a transaction. */
  private void die(int first, int count, int most) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int number = first; number < first + count; ) {
        for (Delivery one : session.fetch(SHARD, most, true).deliveries()) {
          Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, number++, "refused");
          session.quarantine(one, why, Instant.now().plusSeconds(3_600));
        }
        session.commit();
      }
    }
  }

  private List<Integer> segments() {
    return IntStream.range(0, 10)
        .filter(number -> fixture.artemis().hasQueue(QueueNames.deadLetters(NAME, number)))
        .boxed()
        .toList();
  }

  @Test
  void aQueueThatIsFullIsFollowedByAnother() {
    int half = (int) (LetterSegments.MOST_BYTES / 2 / (512 * KIB));
    deadLetter(1, half, 512 * KIB);
    assertEquals(List.of(0), segments());
    deadLetter(half + 1, half + 1, 512 * KIB);
    assertEquals(List.of(0, 1), segments());
    // The broker counts what it pages on a thread of its own.
    long all = 2L * half + 1;
    Deadline.in(PATIENCE)
        .await(
            () -> fixture.broker().deadLetters(NAME) == all,
            () -> fixture.broker().deadLetters(NAME) + " letters");
    assertEquals(all, fixture.broker().contents().deadLetters(NAME));
    assertEquals(
        IntStream.rangeClosed(1, 2 * half + 1).boxed().toList(),
        fixture.deadLetters(NAME).stream().map(letter -> letter.why().attempt()).toList());
  }

  @Test
  void lettersOfNoSizeFillAQueueByTheirNumber() {
    LetterSegments letters = new LetterSegments(admin, now::get);
    for (int i = 0; i < LetterSegments.MOST_LETTERS; i++) {
      assertEquals(0, letters.enter(NAME, 0).number());
    }
    assertEquals(1, letters.enter(NAME, 0).number());
    assertEquals(List.of(0, 1), letters.of(NAME).stream().map(LetterSegment::number).toList());
  }

  @Test
  void afterARestartAQueueIsAsFullAsItWas() {
    deadLetter(1, 15, 512 * KIB);
    admin.close();
    connections.close();
    fixture.restart();
    connect();
    deadLetter(16, 1, 512 * KIB);
    assertEquals(List.of(0), segments());
    deadLetter(17, 1, 512 * KIB);
    assertEquals(List.of(0, 1), segments());
  }

  /** As in a data directory of a version that named them differently. */
  @Test
  void aTopicWithoutAQueueForItsLettersGetsOneAndKeepsItsMessages() {
    send(1, 1, KIB);
    admin.queues().delete(QueueNames.deadLetters(NAME, 0));
    admin.close();
    connections.close();
    fixture.restart();
    connect();
    assertEquals(List.of(), segments());
    assertEquals(List.of(NAME), fixture.broker().createMissing(List.of(ORDERS)));
    assertEquals(List.of(0), segments());
    assertEquals(1, fixture.broker().messages(SHARD));
    send(2, 1, KIB);
    die(1, 2, 1);
    assertEquals(2, fixture.broker().deadLetters(NAME), "with the one that was there");
    assertEquals(List.of(), fixture.broker().createMissing(List.of(ORDERS)));
  }

  @Test
  void aTopicWhoseFirstQueuesOfLettersAreGoneLacksNothing() {
    deadLetter(1, 17, 512 * KIB);
    assertEquals(16, fixture.broker().removeDeadLetters(NAME, 16));
    assertEquals(0, fixture.broker().removeEmptyLetters());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(1, fixture.broker().removeEmptyLetters());
    admin.close();
    connections.close();
    fixture.restart();
    connect();
    assertEquals(List.of(), fixture.broker().createMissing(List.of(ORDERS)));
    assertEquals(List.of(1), segments());
  }

  @Test
  void everyLetterOfAFullQueueIsFoundAlsoWhileTheBrokerPages() {
    send(1, LetterSegments.MOST_LETTERS, KIB);
    die(1, LetterSegments.MOST_LETTERS, 100);
    assertEquals(List.of(0), segments());
    for (int wanted : new int[] {1, 2_000, LetterSegments.MOST_LETTERS}) {
      fixture.inSession(
          session -> {
            session.start();
            try (ClientConsumer one =
                session.createConsumer(
                    QueueNames.deadLetters(NAME, 0).toString(), "mailbox_attempt = " + wanted)) {
              ClientMessage found = one.receive(5_000);
              assertNotNull(found, "letter " + wanted);
              assertEquals(wanted, found.getIntProperty(MessageCodec.ATTEMPT));
            }
          });
    }
  }

  @Test
  void lettersLargerThanAWindowAreAllSeenAlsoWhileTheBrokerPages() {
    deadLetter(1, 15, 512 * KIB);
    List<DeadLetter> seen = fixture.broker().letterQueues().browse(NAME, 0);
    assertEquals(
        IntStream.rangeClosed(1, 15).boxed().toList(),
        seen.stream().map(DeadLetter::attempt).toList());
    LetterContent last = fixture.broker().letterQueues().read(seen.get(14)).orElseThrow();
    assertEquals(512 * KIB, last.payload().size());
  }

  @Test
  void theOldestAreRemovedFirstOverAllQueuesAndEmptyQueuesGo() {
    deadLetter(1, 20, 512 * KIB);
    assertEquals(List.of(0, 1), segments());
    assertEquals(18, fixture.broker().removeDeadLetters(NAME, 18));
    assertEquals(
        List.of(19, 20),
        fixture.deadLettersOf(NAME, 1).stream().map(letter -> letter.why().attempt()).toList());
    assertEquals(0, fixture.broker().removeEmptyLetters());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(1, fixture.broker().removeEmptyLetters());
    assertEquals(List.of(1), segments());
    assertEquals(2, fixture.broker().removeDeadLetters(NAME, 100));
    assertEquals(0, fixture.broker().removeEmptyLetters());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(0, fixture.broker().removeEmptyLetters(), "the last one stays");
    assertEquals(List.of(1), segments());
  }

  /** Puts a letter into a queue, as a worker of a node does. */
  private void put(LetterSegments node, int bytes) {
    LetterSegment segment = node.enter(NAME, bytes);
    fixture.inSession(
        session -> {
          ClientMessage letter = session.createMessage(true);
          letter.getBodyBuffer().writeBytes(new byte[bytes]);
          try (ClientProducer producer = session.createProducer(segment.queue())) {
            producer.send(letter);
          }
          session.commit();
        });
    segment.leave();
  }

  @Test
  void threeNodesOverfillAQueueByNoMoreThanTheyDoNotCount() {
    List<LetterSegments> nodes =
        Stream.generate(() -> new LetterSegments(admin, now::get)).limit(3).toList();
    int letter = 128 * KIB;
    for (int i = 0; i < 30 * 8; i++) {
      put(nodes.get(i % 3), letter);
    }
    long most = LetterSegments.MOST_BYTES + 3 * (LetterSegments.UNCOUNTED_BYTES + 2L * letter);
    for (int number : segments()) {
      long bytes = admin.queues().bytes(QueueNames.deadLetters(NAME, number));
      assertTrue(bytes <= most, () -> number + " has " + bytes);
    }
    assertTrue(segments().size() >= 3, () -> segments().toString());
  }

  @Test
  void aNodeFindsTheQueuesOfAnotherAndForgetsThoseThatItRemoved() {
    LetterSegments here = new LetterSegments(admin, now::get);
    LetterSegments there = new LetterSegments(admin, now::get);
    assertEquals(1, there.of(NAME).size());
    fill(here);
    assertNotNull(there.queue(NAME, 1), "asked for, it is looked for");
    assertNull(there.queue(NAME, 2));
    fill(here);
    there.refresh();
    assertEquals(3, there.of(NAME).size());
    assertEquals(0, here.removeEmpty());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(2, here.removeEmpty());
    there.refresh();
    assertEquals(
        List.of(QueueNames.deadLetters(NAME, 2)),
        there.of(NAME).stream().map(LetterSegment::queue).toList());
    LetterSegment next = there.enter(NAME, 1);
    assertEquals(2, next.number());
    next.leave();
  }

  /** Has a node create the next queue. */
  private static void fill(LetterSegments node) {
    node.enter(NAME, (int) LetterSegments.MOST_BYTES).leave();
    node.enter(NAME, 1).leave();
  }

  @Test
  void aQueueThatATransactionIsAboutToFillStays() {
    LetterSegments letters = new LetterSegments(admin, now::get);
    LetterSegment first = letters.enter(NAME, (int) LetterSegments.MOST_BYTES);
    letters.enter(NAME, 1).leave();
    assertEquals(0, letters.removeEmpty());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(0, letters.removeEmpty());
    first.leave();
    assertEquals(0, letters.removeEmpty());
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(1, letters.removeEmpty());
    assertEquals(List.of(1), segments());
  }

  @Test
  void aQueueIsRemovedOnceItWasEmptyForTenSeconds() {
    deadLetter(1, 1, KIB);
    LetterSegments letters = withASecondQueue();
    pass(BrokerAdmin.EMPTY_FOR);
    assertEquals(0, letters.removeEmpty());
    assertEquals(1, fixture.broker().removeDeadLetters(NAME, 1));
    assertEquals(0, letters.removeEmpty());
    pass(BrokerAdmin.EMPTY_FOR.minusNanos(1));
    assertEquals(0, letters.removeEmpty());
    pass(Duration.ofNanos(1));
    assertEquals(1, letters.removeEmpty());
    assertEquals(List.of(1), segments());
  }

  @Test
  void lettersThatAreGivenBackAreNotRemoved() {
    deadLetter(1, 1, KIB);
    LetterSegments letters = withASecondQueue();
    CompletableFuture<Void> removing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < TIMES; i++) {
                assertEquals(0, letters.removeEmpty());
              }
            });
    fixture.inSession(
        session -> {
          session.start();
          while (!removing.isDone()) {
            try (ClientConsumer one = session.createConsumer(QueueNames.deadLetters(NAME, 0))) {
              assertNotNull(one.receive(PATIENCE.toMillis()));
            }
          }
        });
    removing.join();
    assertEquals(1, letters.count(NAME));
  }

  /** The first is full, as far as this one knows. */
  private LetterSegments withASecondQueue() {
    LetterSegments letters = new LetterSegments(admin, now::get);
    letters.enter(NAME, (int) LetterSegments.MOST_BYTES).leave();
    letters.enter(NAME, 1).leave();
    assertEquals(List.of(0, 1), segments());
    return letters;
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  @Test
  void aDeletedTopicHasNoneAndItsLettersGoNowhere() {
    deadLetter(1, 17, 512 * KIB);
    LetterSegments letters = new LetterSegments(admin, now::get);
    assertTrue(letters.exist(NAME));
    letters.delete(NAME);
    assertFalse(letters.exist(NAME));
    assertEquals(List.of(), segments());
    assertEquals(0, letters.count(NAME));
    letters.enter(NAME, 1).leave();
    assertEquals(List.of(), segments(), "nothing is made for what is deleted");
    letters.create(NAME);
    assertEquals(List.of(0), segments());
  }

  @Test
  void withoutABrokerNothingIsKnown() {
    LetterSegments letters = new LetterSegments(admin, now::get);
    fixture.artemis().close();
    assertThrows(UnavailableException.class, () -> letters.count(NAME));
  }
}
