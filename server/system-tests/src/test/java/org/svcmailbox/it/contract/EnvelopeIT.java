package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

@ContractTest
class EnvelopeIT {
  private static final String ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
  private static final String DIGEST = "b3:[0-9a-f]{64}";
  private static final String UUID_7 =
      "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  private static final String TIMESTAMP =
      "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z";

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("envelope");

  EnvelopeIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void everyFieldIsThereInItsForm() throws IOException {
    byte[] payload = new byte[1_000];
    new Random(3).nextBytes(payload);
    MailboxAnswer sent = client.send(topic, "key", payload).expect(200);
    Message message = client.recv(topic).message();

    assertMatches(ULID, sent.msgId());
    assertFalse(sent.duplicate());
    assertEquals(sent.msgId(), message.msgId());
    assertEquals(topic, message.topic());
    assertEquals("key", message.idemKey());
    assertMatches(TIMESTAMP, message.text("ts"));
    Duration age = Duration.between(Instant.parse(message.text("ts")), Instant.now());
    assertTrue(age.abs().toMinutes() < 2, age::toString);
    assertMatches(UUID_7, message.text("corr_id"));
    assertMatches(DIGEST, message.text("payload_hash"));
    assertMatches(DIGEST, message.text("hash_chain"));
    assertEquals(1, message.attempt());
    assertTrue(message.shard() >= 0 && message.shard() < 4);
    assertEquals(1, message.seq());
    assertArrayEquals(payload, message.payload());
    assertTrue(message.isIntact());
  }

  @Test
  void whatTheSenderGaveComesBackUnaltered() throws IOException {
    Map<String, String> attrs = Map.of("colour", "red", "größe", "✓ 𝄞 \" \\ \n", "empty", "");
    Fields request =
        Fields.send(topic, "schlüssel 𝄞", new byte[0])
            .with("attrs", attrs)
            .with("corr_id", "my-own")
            .with("sig", "signed");
    client.send(request).expect(200);
    Message message = client.recv(topic).message();

    assertEquals("schlüssel 𝄞", message.idemKey());
    attrs.forEach(
        (key, value) -> assertEquals(value, message.json().path("attrs").path(key).asText()));
    assertEquals(attrs.size(), message.json().path("attrs").size());
    assertEquals("my-own", message.text("corr_id"));
    assertEquals("signed", message.text("sig"));
    assertEquals(0, message.payload().length);
    assertTrue(message.isIntact());
  }

  @Test
  void aRedeliveredMessageIsTheSameButForItsAttempt() throws IOException {
    client.send(Requests.send(topic)).expect(200);
    Message first = client.recv(topic).message();
    client.nack(first, Fields.of("delay_ms", 0)).expect(200);
    Message second = client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).message();

    assertEquals(2, second.attempt());
    for (String field :
        new String[] {
          "msg_id",
          "topic",
          "ts",
          "idem_key",
          "payload_hash",
          "corr_id",
          "hash_chain",
          "sig",
          "payload",
          "attrs",
          "shard",
          "seq"
        }) {
      assertEquals(first.json().path(field), second.json().path(field), field);
    }
    assertTrue(second.isIntact());
  }

  private static void assertMatches(String pattern, String text) {
    assertTrue(text.matches(pattern), () -> text + " is not " + pattern);
  }
}
