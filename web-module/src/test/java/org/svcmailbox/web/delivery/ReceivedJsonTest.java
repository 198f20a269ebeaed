package org.svcmailbox.web.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.ByteBufferBackedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.web.stream.SampleLeases;

class ReceivedJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static List<LeasedMessage> leases(IntStream lengths) {
    return lengths.mapToObj(length -> SampleLeases.of(random(length))).toList();
  }

  private static void assertWhole(List<LeasedMessage> leases) throws IOException {
    ByteBuffer json = ReceivedJson.of(new Delivered(leases));
    assertEquals('}', json.get(json.limit() - 1), "nothing behind the end");
    JsonNode messages = JSON.readTree(new ByteBufferBackedInputStream(json)).path("messages");
    assertEquals(leases.size(), messages.size());
    for (int i = 0; i < leases.size(); i++) {
      byte[] payload = leases.get(i).message().payload().bytes();
      JsonNode message = messages.get(i);
      assertEquals(Base64.getEncoder().encodeToString(payload), message.path("payload").asText());
      assertEquals("k", message.path("idem_key").asText(), "the field before");
      assertEquals("r", message.path("receipt").asText(), "the field behind");
    }
  }

  @Test
  void payloadsOfEveryLengthAreStandardBase64() throws IOException {
    assertWhole(leases(IntStream.range(0, 300)));
  }

  /** The generator's buffer has 8,000 bytes, and text beyond 512 bypasses it. */
  @Test
  void payloadsAroundTheGeneratorsBufferAreWhole() throws IOException {
    assertWhole(leases(IntStream.of(383, 384, 385, 5_999, 6_000, 6_001, 70_000, 1 << 20)));
  }

  @Test
  void aPayloadStaysItsLeases() throws IOException {
    byte[] payload = random(1_000);
    byte[] before = Arrays.copyOf(payload, payload.length);
    assertWhole(List.of(SampleLeases.of(payload)));
    assertArrayEquals(before, payload);
  }
}
