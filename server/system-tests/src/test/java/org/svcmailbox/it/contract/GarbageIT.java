package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** For any bytes, the client gets an error of its own, and the server's log stays calm. */
@ContractTest
@Isolated
class GarbageIT {
  private static final int RANDOM_BODIES = 60;

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("garbage");
  private final long seed = Long.getLong("garbage.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int logged;

  GarbageIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @BeforeEach
  void noteTheLog() {
    logged = server.outputLines().size();
  }

  @AfterEach
  void noStackTraceIsInTheLog() {
    List<String> lines = server.outputLines();
    List<String> traces =
        lines.subList(logged, lines.size()).stream()
            .filter(line -> line.stripLeading().startsWith("at "))
            .toList();
    assertEquals(List.of(), traces);
  }

  @Test
  void randomBytesAreRefused() throws IOException {
    for (String path : Requests.posts(topic).keySet()) {
      for (int i = 0; i < RANDOM_BODIES; i++) {
        byte[] body = new byte[random.nextInt(400)];
        random.nextBytes(body);
        assertRefused(path, body);
      }
    }
  }

  @Test
  void truncatedJsonIsRefused() throws IOException {
    for (Map.Entry<String, Fields> post : Requests.posts(topic).entrySet()) {
      byte[] good = bytes(post.getValue());
      for (int length = 0; length < good.length; length++) {
        assertRefused(post.getKey(), Arrays.copyOf(good, length));
      }
    }
  }

  @Test
  void spoiledJsonIsNeverOurFailure() throws IOException {
    for (Map.Entry<String, Fields> post : Requests.posts(topic).entrySet()) {
      for (int i = 0; i < RANDOM_BODIES; i++) {
        byte[] body = bytes(post.getValue());
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        MailboxAnswer answer = post(post.getKey(), body);
        assertTrue(answer.status() < 500, () -> label(post.getKey(), body, answer));
      }
    }
  }

  @Test
  void deeplyNestedJsonIsRefused() throws IOException {
    String deep = "[".repeat(100_000);
    for (String path : Requests.posts(topic).keySet()) {
      client.post(path, deep).expect(400);
      client.post(path, "{\"topic\":" + deep).expect(400);
    }
  }

  @Test
  void hugeNumbersAreRefused() throws IOException {
    String digits = "9".repeat(10_000);
    for (String number : List.of(digits, "-" + digits, "1e" + digits, "1e999999999")) {
      String body = "{\"topic\":\"" + topic + "\",\"wait_ms\":" + number + "}";
      client.post("/v1/recv", body).expect(400);
    }
  }

  private void assertRefused(String path, byte[] body) throws IOException {
    MailboxAnswer answer = post(path, body);
    assertEquals(400, answer.status(), () -> label(path, body, answer));
  }

  private MailboxAnswer post(String path, byte[] body) throws IOException {
    return client.call("POST", path, BodyPublishers.ofByteArray(body));
  }

  private String label(String path, byte[] body, MailboxAnswer answer) {
    return "seed " + seed + " " + path + " " + Arrays.toString(body) + " -> " + answer.text();
  }

  private static byte[] bytes(Fields fields) {
    return fields.text().getBytes(StandardCharsets.UTF_8);
  }
}
