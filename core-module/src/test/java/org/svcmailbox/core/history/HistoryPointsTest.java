package org.svcmailbox.core.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.history.HistoryService.Window;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.HistoryStore.Step;

/** Points, gaps and windows. */
class HistoryPointsTest {
  private static final Span SPAN = new Span(30, 50, 5);
  private static final Figures FIVE = new Figures(Map.of(Series.SENT, 5L));
  private static final Figures ONE = new Figures(Map.of(Series.SENT, 1L));

  @Test
  void aStepWithoutARowOfTheServiceIsAGap() {
    List<Step> service = List.of(new Step(1, FIVE, true), new Step(3, ONE, false));

    assertEquals(Arrays.asList(null, FIVE, null, ONE), HistoryPoints.ofService(SPAN, service));
  }

  @Test
  void aTopicWithoutARowWasZeroUnlessTopicsWereLeftOut() {
    List<Step> service =
        List.of(new Step(0, FIVE, true), new Step(1, FIVE, false), new Step(3, FIVE, false));
    List<Step> topic = List.of(new Step(3, ONE, false));

    assertEquals(
        Arrays.asList(Figures.NONE, null, null, ONE), HistoryPoints.ofTopic(SPAN, service, topic));
  }

  @ParameterizedTest
  @CsvSource({
    "HOUR, 1000, 940, 1000, 60",
    "SIX_HOURS, 1000, 640, 1000, 360",
    "DAY, 29931844, 29930400, 29931840, 288",
    "DAY, 29931845, 29930405, 29931845, 288",
    "WEEK, 29931869, 29921760, 29931840, 336"
  })
  void aWindowEndsWithItsLastWholeStep(
      Window window, long minute, long from, long until, int points) {
    Span span = window.before(minute);

    assertEquals(new Span(from, until, window.step()), span);
    assertEquals(points, span.points());
    assertEquals(points, window.points());
  }

  @Test
  void aSpanHasWholeStepsOnly() {
    assertThrows(IllegalArgumentException.class, () -> new Span(31, 50, 5));
    assertThrows(IllegalArgumentException.class, () -> new Span(30, 51, 5));
    assertThrows(IllegalArgumentException.class, () -> new Span(30, 25, 5));
    assertThrows(IllegalArgumentException.class, () -> new Span(0, 0, 0));
  }
}
