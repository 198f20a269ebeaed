package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;

/** Orders and parts of names, by tables. */
class TopicChoiceTest {
  private static final List<TopicGlance> TOPICS =
      List.of(
          glance("c", /* ready= */ 0, /* inflight= */ 9, /* dlq= */ 1, 0.1, /* age= */ 0, 7),
          glance("a", 5, 0, 1, 0.9, 40, 7),
          glance("d", 5, 0, 0, 0.5, 40, 0.5),
          glance("b", 7, 1, 2, 0.5, 2, 7));

  private static TopicGlance glance(
      String name, long ready, long inflight, long dlq, double saturation, long age, double sent) {
    return new TopicGlance(
        new TopicName(name),
        /* paused= */ false,
        ready,
        /* scheduled= */ 100,
        inflight,
        dlq,
        saturation,
        age,
        new MessageRates(sent, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "NAME, abcd",
    "LETTERS, bacd",
    "READY, badc",
    "OLDEST, adbc",
    "INFLIGHT, cbad",
    "SATURATION, adbc",
    "SENT, abcd",
  })
  void theGreatestComesFirstThenTheOlderThenTheName(TopicOrder order, String names) {
    Stream<TopicGlance> sorted = TOPICS.stream().sorted(order.comparator());
    assertEquals(names, sorted.map(glance -> glance.name().value()).collect(Collectors.joining()));
  }

  @ParameterizedTest
  @CsvSource({
    "'', Orders.eu, true",
    "orders, Orders.eu, true",
    "ORDERS.E, Orders.eu, true",
    "s.e, Orders.eu, true",
    "s-e, Orders.eu, false",
    "Orders.eu.x, Orders.eu, false",
    "., Orders_eu, false",
  })
  void aPartOfTheNameIsText(String part, String name, boolean matches) {
    TopicChoice choice = new TopicChoice(part, TopicOrder.NAME, 1);
    assertEquals(matches, choice.matches(new TopicName(name)));
  }
}
