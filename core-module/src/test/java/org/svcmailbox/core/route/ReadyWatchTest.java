package org.svcmailbox.core.route;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.ReadyWatch.Question;
import org.svcmailbox.core.route.ReadyWatch.Report;

class ReadyWatchTest {
  private static final ReadyKey ORDERS = key("orders");
  private static final ReadyKey MAILS = key("mails");
  private static final long APART = ReadyWatch.APART.toNanos();

  private final ReadyWatch<String> watch = new ReadyWatch<>();
  private long now;

  private static ReadyKey key(String topic) {
    return new ReadyKey(new TopicName(topic), null);
  }

  private Question begin() {
    return requireNonNull(watch.begin(now), "no question is due");
  }

  private List<Report> report(Question question, ReadyKey... ready) {
    return watch.answered(question, List.of(ready), now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void withoutACallThatWaitsNothingIsAsked() {
    assertNull(watch.begin(now));
    watch.add(ORDERS, "a");
    watch.remove(ORDERS, "a");
    assertNull(watch.begin(now));
  }

  @Test
  void oneQuestionNamesATopicHoweverManyWaitForIt() {
    watch.add(ORDERS, "a");
    assertEquals(List.of(ORDERS), begin().keys());
    assertTrue(watch.isNamed(ORDERS));
    pass(ReadyWatch.APART);
    watch.add(ORDERS, "b");
    assertNull(watch.begin(now));
  }

  @Test
  void aShardIsAnotherKeyThanItsTopic() {
    ReadyKey shard = new ReadyKey(ORDERS.topic(), 3);
    watch.add(ORDERS, "a");
    watch.add(shard, "b");
    assertEquals(Set.of(ORDERS, shard), Set.copyOf(begin().keys()));
  }

  @Test
  void anotherTopicReplacesTheQuestionALittleLater() {
    watch.add(ORDERS, "a");
    Question first = begin();
    watch.add(MAILS, "b");
    assertNull(watch.begin(now + APART - 1));
    now += APART;
    Question second = begin();
    assertEquals(Set.of(ORDERS, MAILS), Set.copyOf(second.keys()));
    assertEquals(first.number() + 1, second.number());
    // The replaced one ends, which the other one survives.
    assertEquals(List.of(), report(first));
    assertTrue(watch.isNamed(MAILS));
    assertNull(watch.begin(now + APART));
  }

  @Test
  void aReportWakesTheOldestCallAndTheOthersAskAgain() {
    IntStream.range(0, 3).forEach(i -> watch.add(ORDERS, "call-" + i));
    Question question = begin();
    pass(Duration.ofSeconds(2));
    assertEquals(List.of(new Report(ORDERS, 1)), report(question, ORDERS));
    assertEquals("call-0", watch.next(ORDERS));
    assertFalse(watch.isNamed(ORDERS));
    assertNull(watch.begin(now + APART - 1), "the call that was woken takes the message first");
    now += APART;
    assertEquals(List.of(ORDERS), begin().keys());
    assertEquals(2, watch.calls());
  }

  /** A burst is for many calls, and one message for one. */
  @Test
  void reportsThatFollowAtOnceWakeMoreAndMoreCalls() {
    IntStream.range(0, 500).forEach(i -> watch.add(ORDERS, "call-" + i));
    List<Integer> woken = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      woken.add(report(begin(), ORDERS).get(0).calls());
      now += APART;
    }
    assertEquals(List.of(1, 2, 4, 8, 16, 32, 64, 64, 64), woken);
    pass(ReadyWatch.AT_ONCE);
    assertEquals(1, report(begin(), ORDERS).get(0).calls());
  }

  @Test
  void aReportForATopicThatNobodyAwaitsAnyMoreWakesNone() {
    watch.add(ORDERS, "a");
    Question question = begin();
    watch.remove(ORDERS, "a");
    report(question, ORDERS, MAILS);
    assertNull(watch.next(ORDERS));
    assertNull(watch.next(MAILS));
  }

  @Test
  void afterAFailureTheNextQuestionComesASecondLater() {
    watch.add(ORDERS, "a");
    watch.failed(begin(), now);
    assertFalse(watch.isNamed(ORDERS));
    assertNull(watch.begin(now + ReadyWatch.AFTER_FAILURE.toNanos() - 1));
    pass(ReadyWatch.AFTER_FAILURE);
    assertEquals(List.of(ORDERS), begin().keys());
  }

  @Test
  void theFailureOfAReplacedQuestionDelaysNone() {
    watch.add(ORDERS, "a");
    Question first = begin();
    now += APART;
    watch.add(MAILS, "b");
    Question second = begin();
    watch.failed(first, now);
    assertTrue(watch.isNamed(ORDERS));
    report(second);
    now += APART;
    assertEquals(2, begin().keys().size());
  }

  /** Topics beyond the bound have their turn when the question ends. */
  @Test
  void aQuestionNamesABoundedNumberAndEachTopicHasItsTurn() {
    int topics = 3 * ReadyWatch.MOST_NAMED;
    IntStream.range(0, topics).forEach(i -> watch.add(key("t" + i), "call-" + i));
    Set<ReadyKey> met = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Question question = begin();
      assertEquals(ReadyWatch.MOST_NAMED, question.keys().size());
      met.addAll(question.keys());
      now += APART;
      assertNull(watch.begin(now), "until it ends");
      report(question);
    }
    assertEquals(topics, met.size());
    assertEquals(topics, watch.calls());
  }
}
