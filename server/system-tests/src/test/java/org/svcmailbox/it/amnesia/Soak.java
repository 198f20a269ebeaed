package org.svcmailbox.it.amnesia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;

/** Everything a client can do, with canaries in everything it can say. */
final class Soak {
  static final String TOPIC = Canary.TOPIC.text() + ".orders";

  /** Payload bytes, from the shortest canary to the largest frame; two are over 100 KiB. */
  private static final int[] SIZES = {10, 100, 1_000, 10_000, 120_000, 1_048_576};

  private static final int BATCHES = 25;
  private static final int BATCH = 100;
  private static final int DEAD = 5;

  private final MailboxClient operator;
  private final MailboxClient narrow;

  Soak(MailboxClient operator) throws IOException {
    this.operator = operator;
    this.narrow =
        operator.with(operator.mint("topic = " + Canary.CAVEAT.text() + ".*", "ops = send"));
  }

  /** Runs; afterwards the topic has messages that are ready, held and delayed, and dead letters. */
  void run() throws IOException {
    operator.putTopic(TOPIC, Fields.of("max_attempts", 2)).expect(201);
    putDown();
    operator.putTopic(TOPIC, Fields.of("max_attempts", 1_000)).expect(200);
    sizes();
    batches();
    delays();
    expire();
    mistakes();
    pollInVain();
    assertEquals(DEAD, dead());
  }

  /** How many dead letters there are. */
  long dead() throws IOException {
    return operator.topic(TOPIC).expect(200).json().path("dlq").asLong();
  }

  /** Checks the durability that the server reports. */
  void assertProfile(String profile) throws IOException {
    String field = "\"dlq_profile\":\"" + profile + "\"";
    for (String path : List.of("/healthz", "/readyz", "/v1/topics/" + TOPIC)) {
      String text = operator.get(path).expect(200).text();
      assertTrue(text.contains(field), text);
    }
    String metrics = operator.get("/metrics").expect(200).text();
    assertTrue(metrics.contains("profile=\"" + profile + "\""), metrics);
  }

  private void putDown() throws IOException {
    for (int i = 0; i < DEAD; i++) {
      send(i, 100).expect(200);
    }
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> {
              for (Message message : recv(60_000)) {
                refuse(message);
              }
              return dead() == DEAD;
            },
            () -> "the dead letters");
  }

  private void refuse(Message message) throws IOException {
    Fields why = Fields.of("reason", "because of " + Canary.NACK_REASON.text());
    operator.nack(message, why.with("delay_ms", 0)).expect(200);
  }

  private void sizes() throws IOException {
    for (int size : SIZES) {
      send(1_000 + size, size).expect(200);
      assertEquals(true, send(1_000 + size, size).expect(200).json().path("duplicate").asBoolean());
      send(1_000 + size, size - 1).expect(409);
    }
    for (Message message : recv(60_000)) {
      operator.extend(message, Duration.ofMinutes(2)).expect(200);
      operator.ack(message).expect(200);
    }
  }

  private void batches() throws IOException {
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Fields> messages = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        messages.add(message(10_000 + batch * BATCH + i, 10 + i * 20));
      }
      operator.sendBatch(messages).expect(200);
      operator.ackBatch(recv(60_000)).expect(200);
    }
  }

  private void delays() throws IOException {
    operator.send(message(5_000, 200).with("delay_ms", 3_600_000)).expect(200);
    operator.send(message(5_001, 200).with("delay_ms", 100)).expect(200);
    // Held until the end.
    recv(600_000);
  }

  private void expire() throws IOException {
    send(5_002, 300).expect(200);
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> recv(250).stream().anyMatch(message -> message.attempt() > 1),
            () -> "a lease that ran out");
  }

  private void mistakes() throws IOException {
    operator.post("/v1/send", "{\"" + Canary.ATTR_KEY.text()).expect(400);
    operator.send(message(6_000, 10).with(Canary.ATTR_KEY.text(), 1)).expect(400);
    operator.send(message(6_000, 10).without("topic")).expect(400);
    operator.ack(UUID.randomUUID().toString(), Canary.CORR_ID.text()).expect(400);
    narrow.send(message(6_001, 10)).expect(403);
  }

  private void pollInVain() throws IOException {
    String empty = TOPIC + ".empty";
    operator.recv(Fields.of("topic", empty).with("wait_ms", 1_000)).expect(200);
  }

  private List<Message> recv(long visibilityMs) throws IOException {
    Fields request =
        Fields.of("topic", TOPIC).with("max_messages", 50).with("visibility_ms", visibilityMs);
    return operator.recv(request.with("wait_ms", 5_000)).expect(200).messages();
  }

  private MailboxAnswer send(int number, int size) throws IOException {
    return operator.send(message(number, size));
  }

  private static Fields message(int number, int size) {
    return Fields.send(TOPIC, Canary.IDEM_KEY.text() + "-" + number, payload(size))
        .with("attrs", Map.of(Canary.ATTR_KEY.text(), "a " + Canary.ATTR_VALUE.text()))
        .with("corr_id", "c-" + Canary.CORR_ID.text())
        .with("shard_key", Canary.SHARD_KEY.text() + number % 7)
        .with("sig", Canary.SIGNATURE.text());
  }

  /** Text that is all canary, at every alignment. */
  private static byte[] payload(int size) {
    String canary = size < 100 ? Canary.SHORT_PAYLOAD.text() : Canary.PAYLOAD.text() + "-";
    return canary
        .repeat(size / canary.length() + 1)
        .substring(0, size)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
