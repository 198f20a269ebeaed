package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

@ContractTest
class DeadLetterIT {
  private static final int MAX_ATTEMPTS = 3;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("dead");

  DeadLetterIT(MailboxClient client) throws IOException {
    this.client = client;
    client.putTopic(topic, Fields.of("max_attempts", MAX_ATTEMPTS)).expect(201);
  }

  @Test
  void aMessageThatIsRefusedTooOftenIsQuarantined() throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Message message = recv(60_000);
      assertEquals(attempt, message.attempt());
      assertEquals(0, counts().path("dlq").asInt(-1));
      client.nack(message, Fields.of("reason", "poison").with("delay_ms", 0)).expect(200);
    }
    assertQuarantined();
  }

  @Test
  void aMessageThatIsNeverAcknowledgedIsQuarantined() throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      assertEquals(attempt, recv(250).attempt());
    }
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> counts().path("dlq").asInt(-1) == 1, () -> "the dead letter");
    assertQuarantined();
  }

  @Test
  void theReceiptOfADeadLetterIsOver() throws IOException {
    client.putTopic(topic, Fields.of("max_attempts", 1)).expect(200);
    client.send(topic, "key", new byte[1]).expect(200);
    Message message = recv(60_000);
    client.nack(message, Fields.NONE).expect(200);
    client.ack(message).expect(410);
    assertQuarantined();
  }

  @Test
  void aRejectedMessageIsADeadLetterAtOnceAndRejectingItAgainAnswersTheSame() throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    Message message = recv(60_000);
    Fields reject = Fields.of("dead_letter", true).with("reason", "no such account");
    client.nack(message, reject).expect(200);
    assertQuarantined();
    client.nack(message, reject).expect(200);
    client.ack(message).expect(410);
    assertQuarantined();

    String path = "/v1/dlq/" + topic + "/" + message.msgId();
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> client.get(path).status() == 200, () -> "the letter in the index");
    JsonNode letter = client.get(path).json();
    assertEquals("rejected", letter.path("reason").asText());
    assertEquals(1, letter.path("attempt").asInt());
    assertEquals("no such account", letter.path("last_error").asText());
    assertEquals(
        1, client.get("/v1/dlq/" + topic + "?reason=rejected").json().at("/letters").size());
  }

  private void assertQuarantined() throws IOException {
    JsonNode counts = counts();
    assertEquals(1, counts.path("dlq").asInt(-1));
    assertEquals(0, counts.path("ready").asInt(-1));
    assertEquals(0, counts.path("inflight").asInt(-1));
    assertEquals(0, counts.path("delayed").asInt(-1));
    assertEquals(List.of(), client.recv(Fields.of("topic", topic).with("wait_ms", 300)).messages());
  }

  private Message recv(int visibilityMillis) throws IOException {
    Fields request = Fields.of("topic", topic).with("wait_ms", 5_000);
    return client.recv(request.with("visibility_ms", visibilityMillis)).expect(200).message();
  }

  private JsonNode counts() throws IOException {
    return client.topic(topic).expect(200).json();
  }
}
