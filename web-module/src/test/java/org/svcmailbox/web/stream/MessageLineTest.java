package org.svcmailbox.web.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line is the same JSON, however it is cut. */
class MessageLineTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static String text(MessageLine line, int part) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    boolean isDone = false;
    while (!isDone) {
      int left = line.left();
      byte[] chunk = new byte[Math.min(left, part)];
      ByteBuffer to = ByteBuffer.wrap(chunk);
      isDone = line.copy(to);
      text.write(chunk, 0, to.position());
      assertEquals(left - to.position(), line.left());
      assertTrue(to.remaining() < 4, "full but for a part of a group");
    }
    assertEquals(0, line.left());
    return text.toString(UTF_8);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 65536",
    "1, 65536",
    "2, 4",
    "3, 5",
    "4, 6",
    "5, 7",
    "1000, 7",
    "1000, 65536",
    "49152, 65536",
    "49153, 65536",
    "1048576, 65536",
    "100000, 1021",
  })
  void payloadIsWholeInEveryCut(int length, int part) throws IOException {
    byte[] payload = random(length);
    String text = text(new MessageLine(7, SampleLeases.of(payload)), part);
    assertEquals(text.length() - 1, text.indexOf('\n'));
    JsonNode line = JSON.readTree(text);
    assertEquals("message", line.path("type").asText());
    assertEquals(7, line.path("n").asLong());
    assertArrayEquals(payload, line.path("message").path("payload").binaryValue());
    assertEquals("r", line.path("message").path("receipt").asText());
    assertEquals(5_000, line.path("message").path("visibility_ms").asLong());
  }

  @Test
  void fieldsOfAnyLengthAreCut() throws IOException {
    JsonNode line =
        JSON.readTree(text(new MessageLine(1, SampleLeases.withAttribute(random(10), 500)), 100));
    assertEquals("ü".repeat(500), line.path("message").path("attrs").path("a").asText());
    assertArrayEquals(random(10), line.path("message").path("payload").binaryValue());
  }

  @Test
  void fieldsAreThoseOfRecvInItsOrder() throws IOException {
    String text = text(new MessageLine(1, SampleLeases.of(new byte[] {1})), 65_536);
    assertTrue(
        text.startsWith("{\"type\":\"message\",\"n\":1,\"message\":{\"msg_id\":\""), () -> text);
    assertTrue(
        text.endsWith("\"payload\":\"AQ==\",\"receipt\":\"r\",\"visibility_ms\":5000}}\n"),
        () -> text);
  }
}
