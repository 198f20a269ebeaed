package org.svcmailbox.outbox.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a..b", "a.>.b", "a>", "a.b*", ">.a", "a b", " a"})
  void otherTextIsNoFilter(String text) {
    assertThrows(OutboxException.class, () -> new SubjectFilter(text));
  }
}
