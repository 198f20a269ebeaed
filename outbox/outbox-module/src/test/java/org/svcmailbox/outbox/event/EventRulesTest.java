package org.svcmailbox.outbox.event;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private static NewEvent event(String json) {
    return NewEvent.of("order", "17", "order_placed", json);
  }

  private static void refused(ErrorCode code, NewEvent event) {
    OutboxException e = assertThrows(OutboxException.class, () -> EventRules.require(event, NOW));
    assertEquals(code, e.code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "true",
        "17",
        "\"text\"",
        " {\"a\": [1, {\"b\": null}]} \n",
        "1e997",
        "-1e-997"
      })
  void anyJsonValueIsAPayload(String json) {
    assertDoesNotThrow(() -> EventRules.require(event(json), NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{}}",
        "{} {}",
        "1 2",
        "nul",
        "'a'",
        "{\"a\": \"\\u0000\"}",
        "{\"\\u0000\": 1}",
        "\"\\ud800\"",
        "{\"a\":1,}",
        "1e998",
        "1.5e-997",
        "1e99999999999",
        "NaN",
        "01"
      })
  void otherTextIsNot(String json) {
    refused(ErrorCode.INVALID_OUTBOX, event(json));
  }

  @Test
  void aPayloadHasABound() {
    String body = "é".repeat((EventRules.MAX_PAYLOAD_BYTES - 2) / 2);
    assertDoesNotThrow(() -> EventRules.require(event('"' + body + '"'), NOW));
    refused(ErrorCode.PAYLOAD_TOO_LARGE, event('"' + body + "a\""));
    refused(ErrorCode.PAYLOAD_TOO_LARGE, event("\"€" + "€".repeat(body.length() * 2 / 3) + "\""));
  }

  @Test
  void aCharacterOfTwoHalvesIsStoredAndAHalfIsNot() {
    assertDoesNotThrow(() -> EventRules.require(event("\"\\ud83d\\ude00\""), NOW));
    for (String half : List.of("\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00")) {
      refused(ErrorCode.INVALID_OUTBOX, event('"' + half + '"'));
    }
  }

  static Stream<Arguments> payloadsAtABound() {
    return Stream.of(
        Arguments.of("[".repeat(1_000) + "]".repeat(1_000), true),
        Arguments.of("[".repeat(1_001) + "]".repeat(1_001), false),
        Arguments.of("{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000), false),
        Arguments.of("1".repeat(1_000), true),
        Arguments.of("1".repeat(1_001), false),
        Arguments.of("[0." + "1".repeat(20_000) + "]", false));
  }

  /** A database stores what no reader takes. */
  @ParameterizedTest
  @MethodSource("payloadsAtABound")
  void levelsAndNumbersHaveABoundInEventsAndRows(String json, boolean isTaken) {
    OutboxEvent row = row("placed", json);
    if (isTaken) {
      assertDoesNotThrow(() -> EventRules.require(event(json), NOW));
      assertDoesNotThrow(() -> EventRules.require(row, "shop"));
      assertDoesNotThrow(() -> new ObjectMapper().readTree(json));
    } else {
      refused(ErrorCode.INVALID_OUTBOX, event(json));
      assertEquals(ErrorCode.INVALID_OUTBOX, violation(row));
      assertThrows(IOException.class, () -> new ObjectMapper().readTree(json));
    }
  }

  @Test
  void aRowIsCheckedToo() {
    OutboxEvent row = row("placed", "1");
    assertEquals("shop.event.placed.v1", EventRules.require(row, "shop").value());
    String large = "1".repeat(EventRules.MAX_PAYLOAD_BYTES + 1);
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, violation(row("placed", large)));
    assertEquals(ErrorCode.INVALID_SUBJECT, violation(row("order placed", "1")));
  }

  private static OutboxEvent row(String type, String json) {
    return new OutboxEvent(
        MessageId.next().value(),
        "a",
        "b",
        type,
        1,
        new Payload(json),
        NOW,
        null,
        null,
        null,
        0,
        null);
  }

  private static ErrorCode violation(OutboxEvent row) {
    return assertThrows(OutboxException.class, () -> EventRules.require(row, "shop")).code();
  }

  @Test
  void anEventOfTheFutureIsRefused() {
    assertDoesNotThrow(() -> EventRules.require(event("1").withOccurredAt(NOW), NOW));
    refused(ErrorCode.FUTURE_EVENT, event("1").withOccurredAt(NOW.plusNanos(1)));
    refused(ErrorCode.INVALID_OUTBOX, event("1").withOccurredAt(EventRules.EARLIEST.minusNanos(1)));
  }

  @Test
  void anAggregateHasABound() {
    NewEvent longest = NewEvent.of("a".repeat(100), "b".repeat(154), "placed", "1");
    assertDoesNotThrow(() -> EventRules.require(longest, NOW));
    refused(ErrorCode.INVALID_OUTBOX, NewEvent.of("a".repeat(100), "b".repeat(155), "placed", "1"));
    refused(ErrorCode.INVALID_OUTBOX, NewEvent.of("a", "\0", "placed", "1"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "order.placed, 1",
    "1order, 1",
    "order placed, 1",
    "placed, 0",
    "placed, -1"
  })
  void aTypeAndAVersionMakeASubject(String type, int version) {
    refused(ErrorCode.INVALID_SUBJECT, NewEvent.of("a", "b", type, "1").withVersion(version));
  }

  @Test
  @SuppressWarnings("NullAway") // As a caller in plain Java can.
  void whatIsMissingIsRefused() {
    refused(ErrorCode.INVALID_OUTBOX, event("1").withId(null));
    refused(ErrorCode.INVALID_OUTBOX, NewEvent.of("a", "b", null, "1"));
    refused(ErrorCode.INVALID_OUTBOX, NewEvent.of(null, "b", "placed", "1"));
    refused(ErrorCode.INVALID_OUTBOX, NewEvent.of("a", null, "placed", "1"));
  }

  @Test
  void aTraceIsCheckedWhenMade() {
    String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    assertDoesNotThrow(() -> new TraceContext(parent, "a=b"));
    assertThrows(OutboxException.class, () -> new TraceContext("00-0-0-01", null));
    assertThrows(OutboxException.class, () -> new TraceContext(parent, "a".repeat(513)));
  }

  @Test
  void aSubjectHasItsParts() {
    EventSubject subject = EventSubject.of("shop", "order_placed", 3);
    assertEquals("shop.event.order_placed.v3", subject.value());
    assertEquals("shop", subject.context());
    assertEquals("order_placed", subject.eventType());
    assertEquals(3, subject.version());
    assertThrows(OutboxException.class, () -> new EventSubject("shop.event.placed"));
  }

  @Test
  void idsAscend() {
    MessageId last = MessageId.next();
    for (int i = 0; i < 10_000; i++) {
      MessageId next = MessageId.next();
      assertEquals(-1, Integer.signum(last.compareTo(next)));
      assertEquals(-1, Integer.signum(last.toString().compareTo(next.toString())));
      last = next;
    }
  }
}
