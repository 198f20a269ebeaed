package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicFigures;

class CountsLogTest {
  private static final long LIFE = 7;

  private final TestTime time = new TestTime();
  private final Map<TopicName, TopicFigures> figures = new HashMap<>();
  private int looks;
  private final CountsLog log =
      new CountsLog(
          LIFE,
          () -> {
            looks++;
            return figures;
          },
          () -> Set.of(1, 3),
          time);

  static TopicFigures ready(long count) {
    return new TopicFigures(
        count, 0, 0, 0, TopicFigures.NEVER, 0, MessageRates.NONE, /* isReceived= */ false);
  }

  private void count(String topic, long ready) {
    figures.put(new TopicName(topic), ready(ready));
  }

  private static Told told(String topic, long ready) {
    return new Told(new TopicName(topic), ready(ready));
  }

  private CountsAnswer since(CountsAnswer last) {
    time.advance(CountsLog.EVERY);
    return log.answer(new CountsQuestion(LIFE, last.version()));
  }

  @Test
  void theFirstAnswerHasAllTopicsWithMessages() {
    count("a", 1);
    count("b", 0);
    CountsAnswer first = log.answer(CountsQuestion.ALL);
    assertEquals(List.of(told("a", 1)), first.changed());
    assertEquals(Set.of(1, 3), first.groups());
    assertTrue(first.isLast());
  }

  @Test
  void laterAnswersHaveWhatChanged() {
    count("a", 1);
    count("b", 2);
    CountsAnswer first = log.answer(CountsQuestion.ALL);
    assertEquals(List.of(), since(first).changed());
    count("b", 0);
    CountsAnswer second = since(first);
    assertEquals(List.of(told("b", 0)), second.changed());
    assertEquals(List.of(), since(second).changed());
    assertEquals(second.changed(), since(first).changed(), "the answer may have been lost");
  }

  @Test
  void aTopicThatIsGoneHasNoMessages() {
    count("a", 1);
    CountsAnswer first = log.answer(CountsQuestion.ALL);
    figures.clear();
    assertEquals(List.of(told("a", 0)), since(first).changed());
  }

  @Test
  void whoKnowsAnotherLifeGetsAll() {
    count("a", 1);
    long version = log.answer(CountsQuestion.ALL).version();
    assertEquals(
        List.of(told("a", 1)), log.answer(new CountsQuestion(LIFE + 1, version)).changed());
  }

  @Test
  void nodesThatAskWithinHalfASecondShareALook() {
    log.answer(CountsQuestion.ALL);
    time.advance(CountsLog.EVERY.minusNanos(1));
    log.answer(CountsQuestion.ALL);
    assertEquals(1, looks);
    time.advance(CountsLog.EVERY);
    log.answer(CountsQuestion.ALL);
    assertEquals(2, looks);
  }

  @Test
  void manyTopicsComeInSeveralAnswersEachOnce() {
    IntStream.range(0, 5_000).forEach(i -> count("topic-" + i, i + 1));
    Map<TopicName, TopicFigures> got = new HashMap<>();
    CountsAnswer answer = log.answer(CountsQuestion.ALL);
    int frames = 1;
    while (!answer.isLast()) {
      assertEquals(CountsAnswer.MOST, answer.changed().size());
      answer.changed().forEach(told -> got.put(told.topic(), told.figures()));
      answer = since(answer);
      frames++;
    }
    answer.changed().forEach(told -> got.put(told.topic(), told.figures()));
    assertEquals(figures, got);
    assertEquals(3, frames);
    assertFalse(answer.changed().size() == CountsAnswer.MOST);
    assertEquals(List.of(), since(answer).changed());
  }
}
