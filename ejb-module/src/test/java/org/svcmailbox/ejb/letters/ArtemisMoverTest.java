package org.svcmailbox.ejb.letters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.ejb.letters.ArtemisMoverTest.Setup;
import org.svcmailbox.test.concurrent.Deadline;

/** Letters are taken out of their queue, also while the broker pages it or is elsewhere. */
@Order(1)
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
final class ArtemisMoverTest {
  private static final Topic ORDERS = BrokerContract.ORDERS;
  private static final TopicName NAME = ORDERS.name();
  private static final ShardId SHARD = ORDERS.shard(1);
  private static final int MANY = 4_000;

  /** The broker's memory for all messages together, and where it is. */
  enum Setup {
    AMPLE,
    PAGING,
    REMOTE;

    EmbeddedArtemis.Options options() {
      EmbeddedArtemis.Options standard = EmbeddedArtemis.Options.standard();
      return this == PAGING ? standard.withMemory(64 * 1_024) : standard;
    }

    Way way() {
      return this == REMOTE ? Way.CLIENT : Way.DIRECT;
    }
  }

  private final Setup setup;
  private ArtemisFixture fixture;
  private LetterQueues queues;
  private LetterMover mover;

  ArtemisMoverTest(Setup setup) {
    this.setup = setup;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(setup.options(), setup.way());
    fixture.broker().createQueues(ORDERS);
    queues = fixture.broker().letterQueues();
    mover = fixture.broker().letterMover();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Has so many messages die; the letters, oldest first. */
  private List<DeadLetter> deadLetter(int letters) {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int seq = 1; seq <= letters; seq++) {
        session.enqueue(SHARD, SampleMessages.message(SHARD, seq, Instant.now()), null);
      }
      session.commit();
      Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 5, "refused");
      int dead = 0;
      while (dead < letters) {
        for (Delivery held : session.fetch(SHARD, 200, true).deliveries()) {
          session.quarantine(held, why, Instant.now().plusSeconds(3_600));
          dead++;
        }
        session.commit();
      }
    }
    List<DeadLetter> all = queues.browse(NAME, 0);
    assertEquals(letters, all.size());
    if (letters == MANY) {
      boolean isPaging = fixture.artemis().isPaging(QueueNames.deadLetters(NAME, 0));
      assertEquals(setup == Setup.PAGING, isPaging, "the broker pages");
    }
    return all;
  }

  private static List<LetterPosition> positions(List<DeadLetter> letters) {
    return letters.stream().map(DeadLetter::position).toList();
  }

  private static List<DeadLetter> sparse(List<DeadLetter> all) {
    return IntStream.range(0, 10).mapToObj(i -> all.get(i * (all.size() - 1) / 9)).toList();
  }

  private static Set<LetterPosition> taken(LetterMover.Transaction transaction) {
    return transaction.letters().keySet();
  }

  private static LetterContent content(
      LetterMover.Transaction transaction, LetterPosition position) {
    return requireNonNull(transaction.letters().get(position), position::toString);
  }

  private static StoredMessage alive(LetterContent content) {
    return new StoredMessage(
        SampleMessages.message(SHARD, 77, Instant.now()).envelope(),
        content.payload(),
        null,
        Instant.now().plusSeconds(3_600));
  }

  @Test
  void ofManyOnlyThoseAreTakenThatAreAskedFor() {
    List<DeadLetter> all = deadLetter(MANY);
    List<DeadLetter> wanted = sparse(all);
    try (LetterMover.Transaction transaction = mover.take(NAME, 0, positions(wanted))) {
      assertEquals(Set.copyOf(positions(wanted)), taken(transaction));
      for (DeadLetter letter : wanted) {
        LetterContent content = content(transaction, letter.position());
        assertEquals(letter, content.letter());
        byte[] sent = ("payload " + requireNonNull(letter.envelope()).seq()).getBytes(UTF_8);
        assertArrayEquals(sent, content.payload().bytes());
      }
      for (DeadLetter other : all.subList(1, 400).stream().limit(10).toList()) {
        assertEquals(other, queues.read(other).map(LetterContent::letter).orElseThrow());
      }
      DeadLetter late = all.get(MANY - 2);
      assertEquals(late, queues.read(late).map(LetterContent::letter).orElseThrow());
      assertEquals(MANY, fixture.broker().deadLetters(NAME), "none is gone yet");
      wanted.forEach(letter -> transaction.discard(letter.position()));
      transaction.commit();
    }
    assertEquals(MANY - 10, fixture.broker().deadLetters(NAME));
    List<DeadLetter> left = all.stream().filter(letter -> !wanted.contains(letter)).toList();
    assertEquals(left, queues.browse(NAME, 0));
  }

  @Test
  void aLetterThatIsBroughtBackIsInOneQueueOrTheOther() {
    List<DeadLetter> all = deadLetter(3);
    List<LetterPosition> wanted = positions(all.subList(1, 3));
    try (LetterMover.Transaction transaction = mover.take(NAME, 0, wanted)) {
      LetterContent content = content(transaction, wanted.get(0));
      transaction.redrive(wanted.get(0), SHARD, alive(content));
      assertEquals(0, fixture.broker().messages(SHARD));
    }
    // In any order: the broker pauses before it hands out again what was to be committed.
    assertEquals(Set.copyOf(all), Set.copyOf(queues.browse(NAME, 0)), "it was not committed");
    assertEquals(0, fixture.broker().messages(SHARD));
    try (LetterMover.Transaction transaction = taking(wanted)) {
      LetterContent content = content(transaction, wanted.get(0));
      transaction.redrive(wanted.get(0), SHARD, alive(content));
      transaction.commit();
    }
    fixture.crash();
    assertEquals(List.of(all.get(0), all.get(2)), fixture.broker().letterQueues().browse(NAME, 0));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      List<Delivery> back = session.fetch(SHARD, 10, true).deliveries();
      assertEquals(List.of(77L), SampleMessages.seqs(back));
      assertArrayEquals("payload 2".getBytes(UTF_8), back.get(0).message().payload().bytes());
    }
  }

  /** Takes all of them, perhaps after the broker's pause between redeliveries. */
  private LetterMover.Transaction taking(List<LetterPosition> wanted) {
    Instant deadline = Instant.now().plusSeconds(10);
    LetterMover.Transaction transaction = mover.take(NAME, 0, wanted);
    while (taken(transaction).size() < wanted.size() && Instant.now().isBefore(deadline)) {
      transaction.close();
      transaction = mover.take(NAME, 0, wanted);
    }
    return transaction;
  }

  @Test
  void whatIsGivenBackCanBeTakenAgainAtOnceAndInItsOrder() {
    List<DeadLetter> all = deadLetter(500);
    List<DeadLetter> wanted = sparse(all);
    for (int round = 0; round < 20; round++) {
      try (LetterMover.Transaction transaction = mover.take(NAME, 0, positions(wanted))) {
        assertEquals(Set.copyOf(positions(wanted)), taken(transaction), "round " + round);
      }
    }
    assertEquals(Set.copyOf(all), Set.copyOf(queues.browse(NAME, 0)));
    assertEquals(500, queues.browse(NAME, 0).size());
    assertFalse(fixture.artemis().hasQueue(QueueNames.deadLetters(NAME, 1)));
  }

  @Test
  void noLetterIsInTwoHands() {
    List<DeadLetter> all = deadLetter(10);
    List<LetterPosition> first = positions(all.subList(0, 6));
    List<LetterPosition> second = positions(all.subList(4, 10));
    try (LetterMover.Transaction one = mover.take(NAME, 0, first)) {
      assertEquals(Set.copyOf(first), taken(one));
      try (LetterMover.Transaction other = mover.take(NAME, 0, second)) {
        assertEquals(Set.copyOf(positions(all.subList(6, 10))), taken(other));
        assertThrows(IllegalStateException.class, () -> other.discard(first.get(4)));
        taken(other).forEach(other::discard);
        other.commit();
      }
      taken(one).forEach(one::discard);
      one.commit();
    }
    assertEquals(List.of(), queues.browse(NAME, 0));
    try (LetterMover.Transaction late = mover.take(NAME, 0, first)) {
      assertEquals(Map.of(), late.letters());
    }
  }

  @Test
  void ofWhatIsGoneNothingIsTaken() {
    List<DeadLetter> all = deadLetter(2);
    List<LetterPosition> wanted = positions(all);
    assertEquals(1, fixture.broker().removeDeadLetters(NAME, 1));
    try (LetterMover.Transaction transaction = mover.take(NAME, 0, wanted)) {
      assertEquals(Set.of(wanted.get(1)), taken(transaction));
    }
    for (int segment : new int[] {0, 7}) {
      try (LetterMover.Transaction none = mover.take(NAME, segment, List.of())) {
        assertTrue(none.letters().isEmpty());
      }
    }
    try (LetterMover.Transaction none = mover.take(NAME, 7, wanted)) {
      assertTrue(none.letters().isEmpty());
    }
    try (LetterMover.Transaction none = mover.take(new TopicName("nobody"), 0, wanted)) {
      assertTrue(none.letters().isEmpty());
    }
    fixture.artemis().destroy(QueueNames.deadLetters(NAME, 0));
    try (LetterMover.Transaction none = mover.take(NAME, 0, wanted)) {
      assertTrue(none.letters().isEmpty());
    }
  }

  @Test
  void whetherLettersHaveLeftIsUnknownWhileTheirCommitIsLate() {
    List<DeadLetter> all = deadLetterInPages(3);
    List<LetterPosition> wanted = positions(all.subList(1, 3));
    LetterMover.Transaction transaction = mover.take(NAME, 0, wanted);
    wanted.forEach(
        position -> transaction.redrive(position, SHARD, alive(content(transaction, position))));
    Runnable end = fixture.commitLate(QueueNames.deadLetters(NAME, 0), transaction::commit);
    try {
      transaction.close();
      assertThrows(UnavailableException.class, () -> queues.requireResolved(NAME, 0));
    } finally {
      end.run();
    }
    awaitSettled();
    assertEquals(all.subList(0, 1), queues.browse(NAME, 0));
    Deadline.in(BrokerContract.PATIENCE)
        .await(
            () -> fixture.broker().messages(SHARD) == 2,
            () -> fixture.broker().messages(SHARD) + " messages");
  }

  @Test
  void whetherLettersHaveLeftIsUnknownUntilTheirTransactionIsRolledBack() {
    List<DeadLetter> all = deadLetterInPages(3);
    List<LetterPosition> wanted = positions(all.subList(1, 3));
    try (LetterMover.Transaction transaction = mover.take(NAME, 0, wanted)) {
      wanted.forEach(transaction::discard);
      assertThrows(UnavailableException.class, () -> queues.requireResolved(NAME, 0));
    }
    awaitSettled();
    assertEquals(Set.copyOf(all), Set.copyOf(queues.browse(NAME, 0)));
    queues.requireResolved(NAME, 7);
  }

  /** As the other, in page files if the broker pages at all. */
  private List<DeadLetter> deadLetterInPages(int letters) {
    if (setup == Setup.PAGING) {
      fixture.artemis().page(QueueNames.deadLetters(NAME, 0));
    }
    return deadLetter(letters);
  }

  private void awaitSettled() {
    String[] open = new String[1];
    Deadline.in(BrokerContract.PATIENCE)
        .await(
            () -> {
              try {
                queues.requireResolved(NAME, 0);
                return true;
              } catch (UnavailableException e) {
                open[0] = String.valueOf(e.getMessage());
                return false;
              }
            },
            () -> open[0]);
  }

  @Test
  void withoutABrokerNothingIsTakenOrCommitted() {
    List<LetterPosition> wanted = positions(deadLetter(1));
    LetterMover.Transaction transaction = mover.take(NAME, 0, wanted);
    transaction.discard(wanted.get(0));
    fixture.artemis().close();
    assertThrows(UnavailableException.class, transaction::commit);
    transaction.close();
    assertThrows(UnavailableException.class, () -> mover.take(NAME, 0, wanted).close());
    assertEquals(
        Set.copyOf(wanted),
        fixture.restart().letterQueues().browse(NAME, 0).stream()
            .map(DeadLetter::position)
            .collect(Collectors.toSet()));
  }
}
