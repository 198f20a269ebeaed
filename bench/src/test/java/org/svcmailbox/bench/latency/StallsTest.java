package org.svcmailbox.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.machine.Span;

class StallsTest {
  private static final long MILLI = 1_000_000;

  private static Span gap(long from, long until) {
    return new Span("nothing answered", from * MILLI, until * MILLI);
  }

  private static List<Long> answered(long... millis) {
    return Arrays.stream(millis).map(moment -> moment * MILLI).boxed().toList();
  }

  @Test
  void theTimesBetweenAnswersComeLongestFirstWhateverTheOrderOfAnswers() {
    assertEquals(
        List.of(gap(120, 400), gap(0, 100), gap(100, 120), gap(400, 410)),
        Stalls.between(answered(400, 100, 120, 410), 0));
  }

  @Test
  void theTimeUntilTheFirstAnswerCounts() {
    assertEquals(List.of(gap(5, 300)), Stalls.between(answered(300), 5 * MILLI));
  }

  @Test
  void everyStallIsCountedAndNotOnlyThoseThatAreShown() {
    long[] everySecond = LongStream.rangeClosed(1, 50).map(n -> n * 1_000).toArray();
    assertEquals(50, Stalls.count(Stalls.between(answered(everySecond), 0)));
  }

  @Test
  void onlyATimeAboveTheLimitIsAStall() {
    assertEquals(1, Stalls.count(List.of(gap(0, 250), gap(300, 551), gap(600, 610))));
  }

  @Test
  void twoSpansOverlapWhenBothAreUnderWayAtSomeMoment() {
    assertTrue(gap(10, 20).overlaps(gap(15, 17)));
    assertTrue(gap(10, 20).overlaps(gap(0, 10)));
    assertFalse(gap(10, 20).overlaps(gap(0, 9)));
    assertFalse(gap(10, 20).overlaps(gap(21, 30)));
  }
}
