package org.svcmailbox.outbox.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSubjectTest {
  private static final String LONGEST = "a".repeat(63);

  @ParameterizedTest
  @CsvSource({
    "shop.event.order_placed.v3, shop, order_placed, 3",
    "event.event.event.v1, event, event, 1",
    "dlq.event.dlq.v1, dlq, dlq, 1",
    "A-9.event.z_.v999999999, A-9, z_, 999999999"
  })
  void aSubjectHasItsParts(String value, String context, String type, int version) {
    EventSubject subject = new EventSubject(value);
    assertFalse(subject.isDeadLetter());
    assertEquals(context, subject.context());
    assertEquals(type, subject.eventType());
    assertEquals(version, subject.version());
  }

  @Test
  void aRefusalQuotesTheStartOfTheValueAndSaysTheForm() {
    String refusal =
        assertThrows(OutboxException.class, () -> new EventSubject("shop.event.pla\nced.v1"))
            .getMessage();
    assertEquals(
        "INVALID_SUBJECT: \"shop.event.pla?ced.v1\" is no subject. One is {context}.event.{name}.v{version}, or"
            + " {context}.dlq.{subject}: a context or name begins with a letter, and has up to 63"
            + " letters, digits, _ and -; a version is from 1 to 999999999",
        refusal);
    String huge =
        String.valueOf(
            assertThrows(OutboxException.class, () -> new EventSubject("a".repeat(5_000)))
                .getMessage());
    assertTrue(huge.length() < 500, huge);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shop.dlq.other.event.placed.v1", "shop.dlq.other.dlq.third.event.placed.v12"})
  void aSubjectCanBeThatOfADeadLetter(String value) {
    EventSubject subject = new EventSubject(value);
    assertTrue(subject.isDeadLetter());
    assertEquals("message_dead_lettered", subject.eventType());
    assertEquals(1, subject.version());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shop",
        "shop.event.placed",
        "event.placed.v1",
        ".event.placed.v1",
        "shop.event..v1",
        "shop.events.placed.v1",
        "shop.event.placed.v1.",
        "shop.event.placed.v",
        "shop.event.placed.v0",
        "shop.event.placed.v01",
        "shop.event.placed.v1000000000",
        "shop.event.placed.v-1",
        "shop.event.placed.1",
        "shop.event.1placed.v1",
        "shop.event.pl\u00e4ced.v1",
        "shop.event.pla ced.v1",
        "shop.dlq.event.placed.v1",
        "shop.dlq.dlq.other.event.placed.v1",
        "shop.dead.other.event.placed.v1",
        "shop.other.event.placed.v1"
      })
  void otherTextIsNone(String value) {
    assertThrows(OutboxException.class, () -> new EventSubject(value));
  }

  @Test
  void aNameHasABound() {
    assertTrue(EventSubject.isName(LONGEST));
    assertFalse(EventSubject.isName(LONGEST + "a"));
    assertFalse(EventSubject.isName(""));
  }

  @Test
  void aSubjectHasABound() {
    String end = ".event." + LONGEST + ".v1";
    String chain = "a" + ".dlq.a".repeat((1_000 - end.length() - 1) / 6);
    String fill = "a".repeat(1_000 - end.length() - chain.length());
    assertEquals(1_000, new EventSubject(chain + fill + end).value().length());
    assertThrows(OutboxException.class, () -> new EventSubject(chain + fill + "a" + end));
  }
}
