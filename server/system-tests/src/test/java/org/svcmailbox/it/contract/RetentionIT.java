package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

@Order(1)
@ContractTest
class RetentionIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String RETENTION = "5s";
  private static final long DLQ_DAYS = 100;
  private static final int LONGER_MILLIS = 6_000;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("kept");

  RetentionIT(MailboxClient client) throws IOException {
    this.client = client;
    client
        .putTopic(
            topic,
            Fields.of("ready_shards", 1)
                .with("retention_ready", RETENTION)
                .with("retention_dlq", DLQ_DAYS + "d"))
        .expect(201);
  }

  private Fields message(String key) {
    return Fields.send(topic, key, new byte[1]);
  }

  private Message received() throws IOException {
    return client
        .recv(Fields.of("topic", topic).with("visibility_ms", 60_000).with("wait_ms", 20_000))
        .message();
  }

  /** The dead letters, once there are so many; who receives meanwhile gets nothing. */
  private JsonNode letters(int count) throws IOException {
    Deadline.in(PATIENCE)
        .await(
            () -> {
              assertEquals(List.of(), client.recv(Fields.of("topic", topic)).messages());
              return dead().size() == count;
            },
            () -> count + " dead letters");
    return dead();
  }

  private JsonNode dead() throws IOException {
    return client.get("/v1/dlq/" + topic).expect(200).json().path("letters");
  }

  @Test
  void neitherTheDelayOfASendNorThatOfANackEndsAMessage() throws IOException {
    client.send(message("key").with("delay_ms", LONGER_MILLIS)).expect(200);
    Message first = received();
    client.nack(first, Fields.of("delay_ms", LONGER_MILLIS)).expect(200);
    Message second = received();
    assertEquals(List.of(first.msgId(), 2), List.of(second.msgId(), second.attempt()));
    client.ack(second).expect(200);
    assertEquals(0, dead().size());
  }

  @Test
  void aTimeToLiveHoldsForAMessageAndTheRetentionForTheOthers() throws IOException {
    client.send(message("short").with("ttl_ms", 1)).expect(200);
    client.send(message("long").with("ttl_ms", 60_000).with("delay_ms", LONGER_MILLIS)).expect(200);
    assertEquals("long", received().json().path("idem_key").asText());
    JsonNode letter = letters(1).get(0);
    assertEquals("short", letter.path("idem_key").asText());
    assertEquals("expired", letter.path("reason").asText());
    assertEquals(0, letter.path("attempt").asInt(-1), "it had no delivery");
    assertEquals(DLQ_DAYS, daysKept(letter.path("msg_id").asText()));
  }

  private long daysKept(String msgId) throws IOException {
    JsonNode letter = client.get("/v1/dlq/" + topic + "/" + msgId).expect(200).json();
    Instant diedAt = Instant.parse(letter.path("dead_at").asText());
    return Duration.between(diedAt, Instant.parse(letter.path("expires_at").asText())).toDays();
  }

  @Test
  void eachMessageOfABatchHasItsOwn() throws IOException {
    List<Fields> messages =
        List.of(message("a").with("ttl_ms", 1), message("b").with("ttl_ms", 60_000));
    assertEquals(2, client.sendBatch(messages).expect(200).results().size());
    assertEquals("b", received().json().path("idem_key").asText());
    assertEquals("a", letters(1).get(0).path("idem_key").asText());
  }
}
