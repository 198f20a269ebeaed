package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicFigures;

class CountsCodecTest {
  private static final CountsQuestion QUESTION = new CountsQuestion(-3, 1L << 40);
  private static final CountsAnswer ANSWER =
      new CountsAnswer(
          -3,
          1L << 40,
          true,
          Set.of(0, 1_023),
          List.of(
              told("a", 1),
              new Told(
                  new TopicName("b"),
                  new TopicFigures(1, 2, 3, 4, 5, 0.5, new MessageRates(0.1, 0.2, 0.3), true))));

  private static Told told(String topic, long ready) {
    return new Told(new TopicName(topic), CountsLogTest.ready(ready));
  }

  @Test
  void questionAndAnswerAreReadAsWritten() throws MalformedFrameException {
    assertEquals(QUESTION, CountsCodec.question(CountsCodec.encode(QUESTION)));
    assertEquals(ANSWER, CountsCodec.answer(CountsCodec.encode(ANSWER)));
  }

  @Test
  void aFrameThatIsCutOrOfAnotherKindIsRefused() {
    byte[] question = CountsCodec.encode(QUESTION);
    byte[] answer = CountsCodec.encode(ANSWER);
    IntStream.range(0, question.length).forEach(at -> refusesQuestion(Arrays.copyOf(question, at)));
    IntStream.range(0, answer.length).forEach(at -> refusesAnswer(Arrays.copyOf(answer, at)));
    refusesQuestion(Arrays.copyOf(question, question.length + 1));
    refusesAnswer(Arrays.copyOf(answer, answer.length + 1));
    refusesQuestion(answer);
    refusesAnswer(question);
    byte[] later = answer.clone();
    later[0] = 2;
    refusesAnswer(later);
  }

  private static void refusesQuestion(byte[] frame) {
    assertThrows(MalformedFrameException.class, () -> CountsCodec.question(frame));
  }

  private static void refusesAnswer(byte[] frame) {
    assertThrows(MalformedFrameException.class, () -> CountsCodec.answer(frame));
  }

  @Test
  void damagedBytesThrowNothingElse() {
    Random random = new Random(1);
    byte[] frame = CountsCodec.encode(ANSWER);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = frame.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        CountsCodec.answer(damaged);
      } catch (MalformedFrameException e) {
        refused++;
      }
    }
    assertTrue(refused > 100, () -> "some are refused");
  }

  @Test
  void theLargestAnswerFitsIntoAFrame() throws MalformedFrameException {
    List<Told> most =
        IntStream.range(0, CountsAnswer.MOST)
            .mapToObj(i -> told("t".repeat(TopicName.MAX_LENGTH - 4) + (1_000 + i), i))
            .toList();
    Set<Integer> groups = Set.copyOf(IntStream.range(0, 1_024).boxed().toList());
    CountsAnswer largest = new CountsAnswer(1, 2, false, groups, most);
    assertEquals(largest, CountsCodec.answer(CountsCodec.encode(largest)));
    assertTrue(CountsCodec.encode(QUESTION).length <= CountsCodec.MOST_QUESTION_BYTES);
  }
}
