package org.svcmailbox.outbox.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.outbox.event.OutboxException;

class SubjectFilterTest {
  @ParameterizedTest
  @CsvSource({
    "shop.event.>, shop.event.placed.v1, true",
    "shop.event.>, shop.event, false",
    "shop.event.>, other.event.placed.v1, false",
    "shop.event.*.v1, shop.event.placed.v1, true",
    "shop.event.*.v1, shop.event.placed.v2, false",
    "shop.event.*, shop.event.placed.v1, false",
    "shop.event.placed.v1, shop.event.placed.v1, true",
    "*.event.placed.v1, shop.event.placed.v1, true",
    ">, shop.event.placed.v1, true",
    "shop, shop.event, false"
  })
  void aFilterMatchesWholeTokens(String filter, String subject, boolean matches) {
    assertEquals(matches, new SubjectFilter(filter).matches(subject));
  }

  /** All filters of up to three tokens, against all subjects of up to four. */
  @Test
  void filtersOverlapIfASubjectMatchesBoth() {
    List<String> filters = sequences(3, "a", "b", "*", ">").filter(f -> !f.contains(">.")).toList();
    List<String> subjects = sequences(4, "a", "b", "c").toList();
    for (String one : filters) {
      for (String two : filters) {
        SubjectFilter first = new SubjectFilter(one);
        SubjectFilter second = new SubjectFilter(two);
        boolean shared = subjects.stream().anyMatch(s -> first.matches(s) && second.matches(s));
        assertEquals(shared, first.overlaps(second), one + " and " + two);
      }
    }
  }

  private static Stream<String> sequences(int length, String... tokens) {
    Stream<String> one = Stream.of(tokens);
    return length == 1
        ? one
        : Stream.concat(
            one,
            sequences(length - 1, tokens)
                .flatMap(rest -> Stream.of(tokens).map(token -> token + "." + rest)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a..b", "a.>.b", "a>", "a.b*", ">.a", "a b", " a"})
  void otherTextIsNoFilter(String text) {
    assertThrows(OutboxException.class, () -> new SubjectFilter(text));
  }
}
