package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** The contract of every {@link LetterIndex}. */
public interface LetterIndexContract {
  /** An empty one. */
  LetterIndex index();

  /** Gives a letter the fingerprint and the terms of an earlier version. */
  void age(LetterPosition position);

  @Test
  default void itAgreesWithANaiveOneWhateverIsAskedOfIt() {
    LetterIndex index = index();
    NaiveLetterIndex naive = new NaiveLetterIndex();
    SampleLetters sample = new SampleLetters(20261122);
    Random random = new Random(1);
    List<DeadLetter> letters = new ArrayList<>();
    int narrow = 0;
    for (int step = 0; step < 12; step++) {
      List<DeadLetter> added = Stream.generate(sample::next).limit(1 + random.nextInt(40)).toList();
      letters.addAll(added);
      index.add(added);
      naive.add(added);
      List<LetterPosition> gone =
          letters.stream()
              .map(DeadLetter::position)
              .filter(position -> random.nextInt(20) == 0)
              .toList();
      assertEquals(naive.remove(gone), index.remove(gone));
      for (int i = 0; i < 12; i++) {
        LetterFilter filter = sample.filter(letters);
        narrow += filter.isNarrow() ? 1 : 0;
        for (TopicName topic : List.of(SampleLetters.ORDERS, SampleLetters.REFUNDS)) {
          compare(naive, index, topic, filter, letters.get(random.nextInt(letters.size())));
        }
      }
    }
    assertTrue(narrow > 60, "narrow filters: " + narrow);
  }

  private static void compare(
      LetterIndex naive, LetterIndex index, TopicName topic, LetterFilter filter, DeadLetter any) {
    for (LetterPosition before :
        List.of(LetterPosition.LAST, any.position(), LetterPosition.FIRST)) {
      assertEquals(
          naive.page(topic, filter, before, 7),
          index.page(topic, filter, before, 7),
          filter::toString);
      assertEquals(
          naive.count(topic, filter, before), index.count(topic, filter, before), filter::toString);
    }
    for (LetterPosition after : List.of(any.position(), LetterPosition.FIRST)) {
      assertEquals(
          naive.ahead(topic, filter, after, naive.newest(), 7),
          index.ahead(topic, filter, after, naive.newest(), 7),
          filter::toString);
      assertEquals(
          naive.due(topic, 2, after, naive.newest(), 7),
          index.due(topic, 2, after, naive.newest(), 7));
      assertEquals(
          naive.countDue(topic, 2, after, LetterPosition.LAST),
          index.countDue(topic, 2, after, LetterPosition.LAST));
    }
    List<LetterPosition> some = List.of(any.position(), LetterPosition.FIRST, naive.newest());
    assertEquals(naive.at(topic, some), index.at(topic, some));
    assertEquals(naive.newest(), index.newest());
    List<JobId> jobs = Stream.of(0, 1, 9).map(seed -> JobId.random(new Random(seed))).toList();
    assertEquals(naive.countByJob(jobs), index.countByJob(jobs));
    assertEquals(naive.groups(topic, filter, 3), index.groups(topic, filter, 3), filter::toString);
    assertEquals(naive.segments(), index.segments());
    assertEquals(naive.positions(topic, 1), index.positions(topic, 1));
    assertEquals(naive.find(topic, any.msgId()), index.find(topic, any.msgId()));
    assertEquals(naive.find(any.msgId(), 2), index.find(any.msgId(), 2));
  }

  @Test
  default void anEmptyOneAnswersToo() {
    LetterIndex index = index();
    assertEquals(
        List.of(), index.page(SampleLetters.ORDERS, LetterFilter.ALL, LetterPosition.LAST, 10));
    assertEquals(List.of(), index.groups(SampleLetters.ORDERS, LetterFilter.ALL, 10));
    assertEquals(
        List.of(),
        index.ahead(
            SampleLetters.ORDERS, LetterFilter.ALL, LetterPosition.FIRST, LetterPosition.LAST, 10));
    assertEquals(List.of(), index.at(SampleLetters.ORDERS, List.of()));
    assertEquals(List.of(), index.at(SampleLetters.ORDERS, List.of(new LetterPosition(7))));
    assertEquals(LetterPosition.FIRST, index.newest());
    assertEquals(
        Map.of(), index.count(SampleLetters.ORDERS, LetterFilter.ALL, LetterPosition.LAST));
    assertEquals(Map.of(), index.segments());
    assertEquals(Set.of(), index.positions(SampleLetters.ORDERS, 0));
    assertEquals(Optional.empty(), index.find(SampleLetters.ORDERS, new MsgId(1, 2)));
    assertEquals(Map.of(), index.countByJob(List.of()));
    assertEquals(Map.of(), index.countByJob(List.of(JobId.random(new Random(1)))));
    assertEquals(List.of(), index.find(new MsgId(1, 2), 10));
    index.add(List.of());
    assertEquals(0, index.remove(List.of()));
    assertEquals(0, index.removeSome(SampleLetters.ORDERS, 10));
  }

  @Test
  default void aLetterThatIsInIsNotEnteredTwice() {
    DeadLetter letter = new SampleLetters(1).next();
    index().add(List.of(letter, letter));
    index().add(List.of(letter));
    assertEquals(
        List.of(letter), index().page(letter.topic(), LetterFilter.ALL, LetterPosition.LAST, 10));
    LetterFilter narrow = LetterFilter.ALL.with(letter.fingerprint());
    assertEquals(List.of(letter), index().page(letter.topic(), narrow, LetterPosition.LAST, 10));
    assertEquals(1, index().remove(List.of(letter.position())));
    assertEquals(List.of(), index().page(letter.topic(), narrow, LetterPosition.LAST, 10));
  }

  @Test
  default void lettersOfSeveralGroupsAreFoundAtOnce() {
    SampleLetters sample = new SampleLetters(4);
    List<DeadLetter> letters = Stream.generate(sample::next).limit(200).toList();
    index().add(letters);
    NaiveLetterIndex naive = new NaiveLetterIndex();
    naive.add(letters);
    Fingerprint[] two =
        letters.stream()
            .map(DeadLetter::fingerprint)
            .distinct()
            .limit(2)
            .toArray(Fingerprint[]::new);
    LetterFilter filter = LetterFilter.ALL.with(two);
    List<LetterGroup> groups = index().groups(SampleLetters.ORDERS, filter, 10);
    assertEquals(naive.groups(SampleLetters.ORDERS, filter, 10), groups);
    assertEquals(2, groups.size());
    assertTrue(groups.stream().allMatch(group -> group.reasons().size() > 1), groups::toString);
    List<DeadLetter> page =
        index().page(SampleLetters.ORDERS, filter, LetterPosition.LAST, letters.size());
    assertEquals(groups.stream().mapToLong(LetterGroup::count).sum(), page.size());
  }

  @Test
  default void earlierFingerprintsAreRecomputedInSteps() {
    SampleLetters sample = new SampleLetters(5);
    List<DeadLetter> letters = Stream.generate(sample::next).limit(300).toList();
    index().add(letters);
    NaiveLetterIndex naive = new NaiveLetterIndex();
    naive.add(letters);
    assertFalse(index().isOutdated(SampleLetters.ORDERS));
    assertEquals(0, index().regroup(10));
    letters.stream().limit(250).map(DeadLetter::position).forEach(this::age);

    List<Integer> steps = new ArrayList<>();
    while (index().isOutdated(SampleLetters.ORDERS) || index().isOutdated(SampleLetters.REFUNDS)) {
      steps.add(index().regroup(110));
    }
    assertEquals(List.of(110, 110, 30), steps);
    for (TopicName topic : List.of(SampleLetters.ORDERS, SampleLetters.REFUNDS)) {
      assertEquals(
          naive.groups(topic, LetterFilter.ALL, 99), index().groups(topic, LetterFilter.ALL, 99));
      for (LetterGroup group : naive.groups(topic, LetterFilter.ALL, 99)) {
        LetterFilter alike = LetterFilter.ALL.with(group.fingerprint());
        assertEquals(
            naive.page(topic, alike, LetterPosition.LAST, 300),
            index().page(topic, alike, LetterPosition.LAST, 300));
      }
    }
    assertEquals(
        letters.size(),
        index().remove(letters.stream().map(DeadLetter::position).toList()),
        "search and table have the same rows");
  }

  @Test
  default void aTopicIsEmptiedInSteps() {
    SampleLetters sample = new SampleLetters(2);
    List<DeadLetter> letters = Stream.generate(sample::next).limit(500).toList();
    index().add(letters);
    long orders = letters.stream().filter(l -> l.topic().equals(SampleLetters.ORDERS)).count();
    assertTrue(orders > 300, "orders: " + orders);
    assertEquals(300, index().removeSome(SampleLetters.ORDERS, 300));
    assertEquals(orders - 300, index().removeSome(SampleLetters.ORDERS, 300));
    assertEquals(Set.of(SampleLetters.REFUNDS), index().segments().keySet());
  }
}
