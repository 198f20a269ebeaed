package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

@ContractTest
class SizeLimitIT {
  private static final int MAX_FRAME = 1024 * 1024;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("size");

  SizeLimitIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @AfterEach
  void theServerIsStillThere() throws IOException {
    client.send(topic, "after", new byte[1]).expect(200);
  }

  @Test
  void aPayloadOfExactlyTheMaximumGoesThrough() throws IOException {
    byte[] payload = new byte[MAX_FRAME];
    new Random(1).nextBytes(payload);
    client.send(topic, "key", payload).expect(200);
    assertArrayEquals(payload, client.recv(topic).message().payload());
  }

  @Test
  void oneByteMoreIsTooLarge() throws IOException {
    MailboxAnswer refused = client.send(topic, "key", new byte[MAX_FRAME + 1]).expect(413);
    assertEquals("E_FRAME_TOO_LARGE", refused.code());
    assertEquals(List.of(), client.recv(topic).messages());
  }

  @Test
  void theFrameOfABatchIsAllItsPayloadsTogether() throws IOException {
    byte[] half = new byte[MAX_FRAME / 2];
    Fields first = Fields.send(topic, "a", half);
    client.sendBatch(List.of(first, Fields.send(topic, "b", half))).expect(200);
    MailboxAnswer refused =
        client
            .sendBatch(
                List.of(
                    Fields.send(topic, "c", half),
                    Fields.send(topic, "d", half),
                    Fields.send(topic, "e", new byte[1])))
            .expect(413);
    assertEquals("E_FRAME_TOO_LARGE", refused.code());
    int ready = client.topic(topic).json().path("ready").asInt(-1);
    assertEquals(2, ready, "nothing of the refused batch is stored");
  }

  @Test
  void aDeclaredLengthThatIsTooLargeIsRefusedBeforeTheBodyIsSent() throws IOException {
    try (RawConnection connection = server.target().connect()) {
      connection.send(
          server.target().head("POST", "/v1/send") + "Content-Length: 50000000\r\n\r\n");
      assertTooLarge(connection.receive(SOON));
    }
  }

  @Test
  void aBodyWithoutADeclaredLengthIsRefusedBeforeItEnds() throws IOException {
    try (RawConnection connection = server.target().connect()) {
      connection.send(
          server.target().head("POST", "/v1/send") + "Transfer-Encoding: chunked\r\n\r\n");
      String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
      // More than any body may have, and never the last chunk.
      for (int sent = 0; sent < 2 * MAX_FRAME; sent += 0x10000) {
        connection.send(chunk);
      }
      assertTooLarge(connection.receive(SOON));
    }
  }

  private static void assertTooLarge(Response response) {
    assertEquals(413, response.status());
    assertTrue(response.body().contains("E_FRAME_TOO_LARGE"), response::body);
    String type = response.headers().getOrDefault("content-type", "none");
    assertTrue(type.startsWith("application/problem+json"), type);
  }
}
