package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicFiguresTest {
  private static final TopicFigures HERE =
      new TopicFigures(5, 1, 2, 7, 400, 0.5, new MessageRates(1, 2, 3), false);
  private static final TopicFigures THERE =
      new TopicFigures(3, 0, 4, 6, 300, 0.75, new MessageRates(10, 20, 30), true);

  @Test
  void messagesAddUpAndWhatAllNodesShareIsTheGreatest() {
    TopicFigures both = new TopicFigures(8, 1, 6, 7, 300, 0.75, new MessageRates(11, 22, 33), true);
    assertEquals(both, HERE.plus(THERE));
    assertEquals(both, THERE.plus(HERE));
  }

  @Test
  void aNodeWithoutMessagesChangesNothing() {
    assertEquals(HERE, HERE.plus(TopicFigures.NONE));
    assertEquals(HERE, TopicFigures.NONE.plus(HERE));
  }

  @ParameterizedTest
  @CsvSource({
    "300, 1000, 700",
    "1000, 1000, 0",
    "1001, 1000, 0",
    "9223372036854775807, 1000, 0",
  })
  void theAgeOfTheOldestCountsFromItsBegin(long since, long now, long age) {
    TopicFigures figures = new TopicFigures(1, 0, 0, 0, since, 0, MessageRates.NONE, false);
    assertEquals(age, figures.oldestAge(now));
  }
}
