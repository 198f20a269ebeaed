package org.svcmailbox.client.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.memory.InMemoryMailbox;

class CodecsTest {
  record Order(String what, Instant when, Duration within) {}

  record Holder(Object anything) {}

  private static final String JSON =
      "{\"what\":\"äpples\",\"when\":\"2026-01-01T00:00:00Z\",\"within\":\"PT1M\"}";
  private static final Order ORDER =
      new Order("äpples", Instant.parse("2026-01-01T00:00:00Z"), Duration.ofMinutes(1));

  @Test
  void jsonHasIsoDatesAndComesBack() {
    Codec<Order> codec = Codecs.json(Order.class);
    assertEquals(JSON, text(codec.encode(ORDER)));
    assertEquals(ORDER, codec.decode(bytes(JSON)));
  }

  @Test
  void jsonIgnoresFieldsThatTheTypeLacks() {
    String more = JSON.replace("{", "{\"new\":[1,{}],");
    assertEquals(ORDER, Codecs.<Order>json(Order.class).decode(bytes(more)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "{", "[]", "{} {}", "{\"when\":\"yesterday\"}"})
  void jsonOfSomethingElseIsRefused(String json) {
    Codec<Order> codec = Codecs.json(Order.class);
    assertThrows(SerializationException.class, () -> codec.decode(bytes(json)));
  }

  @Test
  void aBodyThatJsonCannotHoldIsRefused() {
    Codec<Object> codec = Codecs.json(Object.class);
    assertThrows(SerializationException.class, () -> codec.encode(new Object()));
  }

  @Test
  void aClassNameInJsonMakesNoObject() {
    Holder holder =
        Codecs.<Holder>json(Holder.class)
            .decode(bytes("{\"anything\":[\"java.net.URL\",\"http://example.org\"]}"));
    assertEquals("[java.net.URL, http://example.org]", String.valueOf(holder.anything()));
  }

  @Test
  void aMapperOfYourOwnIsTwoFunctions() {
    ObjectMapper mapper = new ObjectMapper();
    Codec<Holder> codec =
        Codecs.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Holder.class));

    assertEquals("{\"anything\":1}", text(codec.encode(new Holder(1))));
    assertEquals(new Holder(1), codec.decode(bytes("{\"anything\":1}")));
    assertThrows(SerializationException.class, () -> codec.decode(bytes("{")));
    assertThrows(SerializationException.class, () -> codec.decode(bytes("null")));
    assertThrows(SerializationException.class, () -> codec.encode(new Holder(new Object())));
  }

  @Test
  void aCodecOfFunctionsKeepsTheirSerializationExceptions() {
    SerializationException why = new SerializationException("of the function");
    Codec<String> codec =
        Codecs.of(
            body -> {
              throw why;
            },
            bytes -> null);

    assertSame(why, assertThrows(SerializationException.class, () -> codec.encode("apple")));
  }

  @Test
  void textIsUtf8AndNothingElse() {
    assertArrayEquals(bytes("ä\ud83c\udf4e"), Codecs.utf8().encode("ä\ud83c\udf4e"));
    assertEquals("ä\ud83c\udf4e", Codecs.utf8().decode(bytes("ä\ud83c\udf4e")));
    assertThrows(SerializationException.class, () -> Codecs.utf8().encode("\ud83c"));
    assertThrows(
        SerializationException.class, () -> Codecs.utf8().decode(new byte[] {(byte) 0xff}));
  }

  @Test
  void bytesAreCopied() {
    byte[] body = {1, 2};
    byte[] encoded = Codecs.bytes().encode(body);
    byte[] decoded = Codecs.bytes().decode(encoded);
    body[0] = 9;
    encoded[1] = 9;
    assertArrayEquals(new byte[] {1, 9}, encoded);
    assertArrayEquals(new byte[] {1, 2}, decoded);
  }

  @Test
  void aReferenceHasNoBytes() {
    Codec<String> codec = Codecs.reference();
    assertThrows(UnsupportedOperationException.class, () -> codec.encode("apple"));
    assertThrows(UnsupportedOperationException.class, () -> codec.decode(new byte[0]));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void aMailboxWithoutRepliesHasNoBodiesOfThem() {
    Codec<Void> none = Codecs.none();
    assertSame(none, Codecs.json(Void.class));
    assertThrows(SerializationException.class, () -> none.decode(bytes("null")));
    try (Mailbox<String, Void> mailbox = InMemoryMailbox.builder("orders", Codecs.utf8()).build()) {
      assertFalse(mailbox.send("two apples").isEmpty());
      assertEquals("two apples", mailbox.receive().orElseThrow().body());
    }
  }
}
