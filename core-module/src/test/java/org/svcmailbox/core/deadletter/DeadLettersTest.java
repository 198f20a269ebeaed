package org.svcmailbox.core.deadletter;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageEvent.Kind;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;

class DeadLettersTest {
  private static final CapabilityId HOLDER = new CapabilityId("k1", "0a".repeat(16));

  private static final MessageHistory HISTORY =
      MessageHistory.NONE
          .with(new MessageEvent(Kind.NACKED, SampleLetters.NOW, 1, "no", HOLDER))
          .with(new MessageEvent(Kind.EXPIRED, SampleLetters.NOW, 2, "", HOLDER))
          .with(new MessageEvent(Kind.REDRIVEN, SampleLetters.NOW, 2, "", null));

  private static final TopicName ORDERS = SampleLetters.ORDERS;

  /** The broker's queues. */
  private static final class Queues implements LetterQueues {
    private final Map<TopicName, Map<Integer, List<DeadLetter>>> letters = new HashMap<>();
    private int browsed;
    private Runnable meanwhile = () -> {};

    private List<DeadLetter> of(TopicName topic, int segment) {
      return letters
          .computeIfAbsent(topic, none -> new HashMap<>())
          .computeIfAbsent(segment, none -> new ArrayList<>());
    }

    void add(Collection<DeadLetter> added) {
      added.forEach(letter -> of(letter.topic(), letter.segment()).add(letter));
    }

    @Override
    public Map<TopicName, Map<Integer, Long>> counts() {
      return letters.values().stream()
          .flatMap(segments -> segments.values().stream())
          .flatMap(List::stream)
          .collect(
              Collectors.groupingBy(
                  DeadLetter::topic,
                  Collectors.groupingBy(DeadLetter::segment, Collectors.counting())));
    }

    @Override
    public List<DeadLetter> browse(TopicName topic, int segment) {
      browsed++;
      List<DeadLetter> there = List.copyOf(of(topic, segment));
      meanwhile.run();
      return there;
    }

    @Override
    public void requireResolved(TopicName topic, int segment) {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public LetterPosition frontier() {
      return LetterPosition.LAST;
    }

    @Override
    public Optional<LetterContent> read(DeadLetter letter) {
      return of(letter.topic(), letter.segment()).stream()
          .filter(letter::equals)
          .map(
              found ->
                  new LetterContent(
                      found, Payload.owning(new byte[0]), HISTORY, SampleLetters.NOW, null, null))
          .findFirst();
    }
  }

  private final NaiveLetterIndex index = new NaiveLetterIndex();
  private final Queues queues = new Queues();
  private final SampleLetters sample = new SampleLetters(7);
  private final TopicDirectory topics =
      new TopicDirectory(
          new InMemoryTopicStore(id -> {}),
          new TopicDirectory.Queues() {
            @Override
            public void requireAnswer() {}

            @Override
            public void create(Topic topic) {}

            @Override
            public void delete(Topic topic) {}

            @Override
            public void delete(Topic topic, BooleanSupplier isEnding) {
              throw new AssertionError("no node deletes a topic");
            }

            @Override
            public void forget(TopicName name) {
              throw new AssertionError("no node deletes a topic");
            }

            @Override
            public void delete(ShardId shard) {}
          },
          SettingsLoader.load(key -> Optional.empty(), Set.of(), 1));
  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final DeadLetters letters =
      new DeadLetters(
          topics,
          index,
          queues,
          new StoredLedgers(new SendRegistry(store, System::nanoTime)),
          this::names);

  private Map<String, String> names(Collection<String> nonces) {
    return nonces.stream().collect(Collectors.toMap(nonce -> nonce, nonce -> "name of " + nonce));
  }

  @BeforeEach
  void make() {
    topics.put(SampleLetters.ORDERS, TopicOverrides.NONE, Precondition.NONE::check);
    topics.put(SampleLetters.REFUNDS, TopicOverrides.NONE, Precondition.NONE::check);
  }

  private List<DeadLetter> some(int count) {
    return Stream.generate(sample::next).limit(count).toList();
  }

  private List<DeadLetter> everything() {
    return Stream.of(SampleLetters.ORDERS, SampleLetters.REFUNDS)
        .flatMap(
            topic ->
                index
                    .page(topic, LetterFilter.ALL, LetterPosition.LAST, Integer.MAX_VALUE)
                    .stream())
        .toList();
  }

  private void reconcile() {
    int steps = 1;
    while (letters.reconcile()) {
      steps++;
    }
    assertTrue(steps <= 2, "six queues, four in a step: " + steps);
  }

  private void isAsTheQueues() {
    List<DeadLetter> there =
        queues.letters.values().stream()
            .flatMap(segments -> segments.values().stream())
            .flatMap(List::stream)
            .toList();
    List<DeadLetter> known = everything();
    assertEquals(there.size(), known.size());
    assertEquals(Set.copyOf(there), Set.copyOf(known));
  }

  @Test
  void whoAsksSeesEverythingThatDiedBefore() {
    List<DeadLetter> died = some(50);
    letters.died(died);
    long orders = died.stream().filter(letter -> letter.topic().equals(ORDERS)).count();
    DeadLetterService.Page page =
        letters.list(SampleCallers.OPERATOR, ORDERS, LetterFilter.ALL, LetterPosition.LAST, 100);
    assertEquals(orders, page.letters().size());
    assertNull(page.next());
  }

  @Test
  void pagesFollowEachOtherWithoutAGap() {
    letters.died(some(200));
    List<DeadLetter> all = new ArrayList<>();
    LetterPosition next = LetterPosition.LAST;
    while (next != null) {
      DeadLetterService.Page page =
          letters.list(SampleCallers.OPERATOR, ORDERS, LetterFilter.ALL, next, 7);
      assertTrue(page.next() == null || page.letters().size() == 7);
      all.addAll(page.letters());
      next = page.next();
    }
    assertEquals(index.page(ORDERS, LetterFilter.ALL, LetterPosition.LAST, 1_000), all);
  }

  @Test
  void aLastPageThatIsFullIsTheLast() {
    List<DeadLetter> died =
        some(40).stream().filter(letter -> letter.topic().equals(ORDERS)).limit(14).toList();
    letters.died(died);
    DeadLetterService.Page first =
        letters.list(SampleCallers.OPERATOR, ORDERS, LetterFilter.ALL, LetterPosition.LAST, 7);
    DeadLetterService.Page second =
        letters.list(
            SampleCallers.OPERATOR, ORDERS, LetterFilter.ALL, requireNonNull(first.next()), 7);
    assertEquals(7, second.letters().size());
    assertNull(second.next());
  }

  @Test
  void groupsAreRefusedUntilTheirFingerprintsAreRecomputed() {
    List<DeadLetter> died = some(300);
    queues.add(died);
    letters.died(died);
    letters.flush();
    died.forEach(letter -> index.age(letter.position()));
    Caller caller = SampleCallers.OPERATOR;
    LetterFilter one = LetterFilter.ALL.with(died.get(0).fingerprint());
    assertThrows(
        UnavailableException.class, () -> letters.groups(caller, ORDERS, LetterFilter.ALL));
    assertThrows(
        UnavailableException.class,
        () -> letters.list(caller, ORDERS, one, LetterPosition.LAST, 10));
    assertEquals(
        10,
        letters.list(caller, ORDERS, LetterFilter.ALL, LetterPosition.LAST, 10).letters().size());

    assertEquals(200, letters.regroup());
    assertEquals(100, letters.regroup());
    assertEquals(0, letters.regroup());
    assertFalse(letters.groups(caller, ORDERS, one).isEmpty());
  }

  @Test
  void whateverTheIndexMissedOrKeptIsHealed() {
    Random random = new Random(3);
    for (int round = 0; round < 30; round++) {
      List<DeadLetter> died = some(20);
      queues.add(died);
      letters.died(died.stream().filter(letter -> random.nextInt(5) > 0).toList());
      queues.letters.values().stream()
          .flatMap(segments -> segments.values().stream())
          .forEach(segment -> segment.removeIf(letter -> random.nextInt(15) == 0));
      reconcile();
      // The same count may hide a letter for another; the next that differs brings it to light.
      heal(SampleLetters.ORDERS);
      heal(SampleLetters.REFUNDS);
      isAsTheQueues();
    }
  }

  /** Makes every queue differ for once. */
  private void heal(TopicName topic) {
    for (int segment : List.copyOf(queues.letters.getOrDefault(topic, Map.of()).keySet())) {
      index.remove(index.positions(topic, segment));
    }
    reconcile();
  }

  @Test
  void whatTheQueuesHaveNoMoreLeavesTheIndex() {
    List<DeadLetter> died = some(100);
    queues.add(died);
    letters.died(died);
    for (DeadLetter gone : died.subList(0, 30)) {
      queues.of(gone.topic(), gone.segment()).remove(gone);
    }
    reconcile();
    isAsTheQueues();
    assertEquals(70, everything().size());
  }

  @Test
  void lettersThatMoveWhileTheirQueueIsReadStayGone() {
    List<DeadLetter> died =
        some(20).stream().filter(letter -> letter.topic().equals(ORDERS)).toList();
    queues.add(died);
    letters.died(died.subList(1, died.size()));
    queues.meanwhile =
        () -> {
          for (DeadLetter moved : died.subList(1, 4)) {
            queues.of(ORDERS, moved.segment()).remove(moved);
            index.remove(Set.of(moved.position()));
          }
        };
    reconcile();
    isAsTheQueues();
    assertEquals(died.size() - 3, everything().size());
  }

  @Test
  void whatAgreesIsNotReadLetterByLetter() {
    List<DeadLetter> died = some(100);
    queues.add(died);
    letters.died(died);
    letters.reconcile();
    assertEquals(0, queues.browsed);
    isAsTheQueues();
  }

  @Test
  void lettersOfATopicThatIsGoneLeaveTheIndex() {
    List<DeadLetter> died = some(500);
    queues.add(died);
    letters.died(died);
    topics.delete(SampleLetters.REFUNDS, topic -> {});
    queues.letters.remove(SampleLetters.REFUNDS);
    letters.reconcile();
    letters.reconcile();
    assertEquals(Set.of(SampleLetters.ORDERS), index.segments().keySet());
    isAsTheQueues();
  }

  @Test
  void howManyLettersATopicHadThatIsGoneTheNextTurnGoesOn() {
    List<DeadLetter> died = some(LetterInbox.CAPACITY);
    queues.add(died);
    letters.died(died);
    topics.delete(SampleLetters.REFUNDS, topic -> {});
    queues.letters.remove(SampleLetters.REFUNDS);
    int steps = 1;
    while (letters.reconcile()) {
      steps++;
      assertTrue(steps < 10, "it never ends");
    }
    assertTrue(steps > 1, "a step is bounded");
    assertEquals(Set.of(SampleLetters.ORDERS), index.segments().keySet());
  }

  @Test
  void withoutADatabaseLettersWaitAndThenWhatHadNoRoomIsFoundInTheQueues() {
    index.down(true);
    List<DeadLetter> died = some(LetterInbox.CAPACITY + 10);
    queues.add(died);
    letters.died(died);
    assertThrows(UnavailableException.class, letters::flush);
    assertThrows(
        UnavailableException.class,
        () ->
            letters.list(SampleCallers.OPERATOR, ORDERS, LetterFilter.ALL, LetterPosition.LAST, 7));
    assertEquals(
        List.of(20_000.0, 20_000.0, 10.0), letters.metrics().stream().map(Metric::now).toList());
    index.down(false);
    letters.flush();
    assertEquals(LetterInbox.CAPACITY, everything().size());
    reconcile();
    isAsTheQueues();
  }

  @Test
  void aLetterThatTheQueueLostMeanwhileIsNotFound() {
    List<DeadLetter> died =
        some(20).stream().filter(letter -> letter.topic().equals(ORDERS)).toList();
    queues.add(died);
    letters.died(died);
    DeadLetter one = died.get(0);
    CheckedLetter read = letters.read(SampleCallers.OPERATOR, ORDERS, one.msgId());
    assertEquals(one, read.content().letter());
    assertEquals(Map.of(HOLDER.nonce(), "name of " + HOLDER.nonce()), read.names());
    queues.of(ORDERS, one.segment()).remove(one);
    assertThrows(
        NotFoundException.class, () -> letters.read(SampleCallers.OPERATOR, ORDERS, one.msgId()));
    assertThrows(
        NotFoundException.class,
        () -> letters.read(SampleCallers.OPERATOR, ORDERS, new MsgId(1, 1)));
    assertThrows(
        NotFoundException.class,
        () -> letters.read(SampleCallers.OPERATOR, SampleLetters.REFUNDS, died.get(1).msgId()));
  }

  @Test
  void onlyWhoMayLookLooks() {
    SampleCallers people = new SampleCallers();
    TopicName nowhere = new TopicName("nowhere");
    LetterFilter all = LetterFilter.ALL;
    assertThrows(
        NotFoundException.class,
        () -> letters.list(people.caller(1, "ops = dlq"), nowhere, all, LetterPosition.LAST, 7));
    for (String caveat : List.of("ops = peek,admin", "topic = refunds.*")) {
      assertThrows(
          DeniedException.class,
          () -> letters.list(people.caller(1, caveat), ORDERS, all, LetterPosition.LAST, 7));
      assertThrows(
          DeniedException.class, () -> letters.groups(people.caller(1, caveat), ORDERS, all));
      assertThrows(
          DeniedException.class,
          () -> letters.read(people.caller(1, caveat), ORDERS, new MsgId(1, 1)));
    }
    assertEquals(
        List.of(),
        letters.list(people.caller(1, "ops = dlq"), ORDERS, all, LetterPosition.LAST, 7).letters());
  }
}
