package org.svcmailbox.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final Outgoing.Builder<String, Object> message = Outgoing.builder("apple");

  @Test
  void optionsAreAbsentUnlessSet() {
    Outgoing<String, Object> plain = Outgoing.of("apple");
    assertEquals("apple", plain.body());
    assertEquals(Optional.empty(), plain.key());
    assertEquals(Optional.empty(), plain.group());
    assertEquals(Optional.empty(), plain.replyTo());
    assertEquals(Duration.ZERO, plain.delay());
    assertEquals(Map.of(), plain.attributes());
  }

  @Test
  void theLongestValuesAreTaken() {
    String key = "k".repeat(Outgoing.MAX_KEY);
    String name = "n".repeat(Outgoing.MAX_NAME);
    Outgoing<String, Object> full =
        message.key(key).group(key).correlationId(name).attribute(name, "").build();
    assertEquals(Optional.of(key), full.key());
    assertEquals(Optional.of(key), full.group());
    assertEquals(Optional.of(name), full.correlationId());
    assertEquals(Map.of(name, ""), full.attributes());
  }

  @Test
  void valuesThatNoBackendTakesAreRefused() {
    String key = "k".repeat(Outgoing.MAX_KEY + 1);
    String name = "n".repeat(Outgoing.MAX_NAME + 1);
    String value = "v".repeat(Outgoing.MAX_VALUE + 1);
    refused(() -> message.key(""));
    refused(() -> message.key(key));
    refused(() -> message.key("lone \ud83c surrogate"));
    refused(() -> message.group(""));
    refused(() -> message.group(key));
    refused(() -> message.correlationId(""));
    refused(() -> message.correlationId(name));
    refused(() -> message.attribute("", "value"));
    refused(() -> message.attribute(name, "value"));
    refused(() -> message.attribute("name", value));
    refused(() -> message.attributes(Map.of("mailbox.reply_to", "elsewhere")));
    refused(() -> message.delay(Duration.ofNanos(-1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"
      })
  void aMalformedTraceIsRefused(String traceparent) {
    refused(() -> message.traceparent(traceparent));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ",", "a", "A=1", "a=b=c", "a=", "a=1 ,b", "a=é", "a=1\n", "a=1,b=2;c,,=3"})
  void aMalformedTraceStateIsRefused(String tracestate) {
    refused(() -> message.tracestate(tracestate));
  }

  @Test
  void aTraceStateHasBounds() {
    String longest = "a=" + "v".repeat(253) + ",b=" + "v".repeat(254);
    assertEquals(512, longest.length());
    String most = String.join(",", Collections.nCopies(32, "a=1"));
    message.traceparent(TRACEPARENT);
    assertEquals(Optional.of(longest), message.tracestate(longest).build().tracestate());
    assertEquals(Optional.of(most), message.tracestate(most).build().tracestate());
    refused(() -> message.tracestate(longest + "v"));
    refused(() -> message.tracestate(most + ",a=1"));
  }

  @Test
  void aTraceStateGoesWithATrace() {
    refused(() -> Outgoing.builder("apple").tracestate("a=1").build());
  }

  @Test
  void theBodyIsNotPrinted() {
    assertFalse(Outgoing.of("secret").toString().contains("secret"));
  }

  private static void refused(Runnable call) {
    assertThrows(IllegalArgumentException.class, call::run);
  }

  @Test
  void anOrderedMessageKeepsEverythingAndItsOwnGroup() {
    Outgoing<String, Object> message =
        Outgoing.builder("apple")
            .key("k")
            .delay(Duration.ofSeconds(1))
            .attribute("a", "b")
            .correlationId("c")
            .inReplyTo("r")
            .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .tracestate("x=1")
            .build();

    Outgoing<String, Object> ordered = message.orderedBy("g");

    assertEquals(Optional.of("g"), ordered.group());
    assertSame(ordered, ordered.orderedBy("other"));
    assertEquals("apple", ordered.body());
    assertEquals(message.key(), ordered.key());
    assertEquals(message.delay(), ordered.delay());
    assertEquals(message.attributes(), ordered.attributes());
    assertEquals(message.correlationId(), ordered.correlationId());
    assertEquals(message.inReplyTo(), ordered.inReplyTo());
    assertEquals(message.traceparent(), ordered.traceparent());
    assertEquals(message.tracestate(), ordered.tracestate());
  }
}
