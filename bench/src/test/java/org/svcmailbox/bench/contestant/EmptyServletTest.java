package org.svcmailbox.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.LoadPayload;

class EmptyServletTest {
  private static JsonNode ask(String path, String body) throws IOException {
    return new ObjectMapper().readTree(EmptyServlet.answer(path, bytes(body)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 99, 100})
  void everyReceivedMessageIsAcknowledged(int size) throws IOException {
    String asked = "{\"topic\":\"t\",\"max_messages\":" + size + ",\"wait_ms\":0}";
    JsonNode received = ask("/v1/recv", asked);
    assertEquals(size, received.path("messages").size());
    AckBatch acks = AckBatch.of(received.toString());
    assertEquals(size, acks.size());
    assertEquals(size, ask("/v1/ack/batch", acks.json()).path("results").size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void everySentMessageIsAccepted(int size) throws IOException {
    String message =
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload\":\"" + LoadPayload.BASE64 + "\"}";
    String batch = String.join(",", Collections.nCopies(size, message));
    JsonNode sent = ask("/v1/send/batch", "{\"messages\":[" + batch + "]}");
    assertEquals(size, sent.path("results").size());
  }

  @Test
  void aMailboxOfTheDoorGivesAsMuchAsItTakes() {
    String mailbox = "/v1/mailbox/" + "0".repeat(64);
    assertEquals(LoadPayload.BYTES, EmptyServlet.answer(mailbox, new byte[0]).length);
    assertTrue(EmptyServlet.answer(mailbox, new byte[1]).length < LoadPayload.BYTES);
  }
}
