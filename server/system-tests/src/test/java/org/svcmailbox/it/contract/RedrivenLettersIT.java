package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** The largest letters, and those that died of their age, return by every action. */
@Order(1)
@ContractTest
@ResourceLock(SampleCalls.JOBS)
class RedrivenLettersIT {
  private static final int MAX_FRAME = 1 << 20;
  private static final Fields REPROCESS =
      Fields.of("action", "reprocess").with("filter", Fields.NONE);

  private final MailboxClient client;
  private final String topic;
  private final JobLetters letters;

  RedrivenLettersIT(MailboxClient client) throws IOException {
    this.client = client;
    topic = longest(TestTopics.fresh("letters"));
    letters = JobLetters.of(client, topic);
  }

  private static String longest(String name) {
    return name + "x".repeat(255 - name.length());
  }

  private Fields largest(String key) {
    Map<String, String> attrs = new TreeMap<>();
    for (int i = 0; i < 32; i++) {
      attrs.put((i + "-" + "\u20ac".repeat(128)).substring(0, 128), "\u20ac".repeat(1_024));
    }
    byte[] payload = new byte[MAX_FRAME];
    Arrays.fill(payload, (byte) 7);
    return Fields.send(topic, longest(key), payload)
        .with("attrs", attrs)
        .with("corr_id", "c".repeat(128))
        .with("ttl_ms", 31_536_000_000L);
  }

  /** A letter with everything as large as it may be, its history included. */
  private String largestLetter(String key) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 60)).expect(200);
    String id = client.send(largest(key)).expect(200).msgId();
    for (int attempt = 1; attempt <= 60; attempt++) {
      Message held = letters.recv();
      assertEquals(attempt, held.attempt());
      client
          .nack(held, Fields.of("reason", "\u20ac".repeat(1_024)).with("delay_ms", 0))
          .expect(200);
    }
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 1)).expect(200);
    Deadline.in(Duration.ofSeconds(10)).await(() -> letters.count() == 1, () -> "the letter");
    return id;
  }

  @ParameterizedTest
  @CsvSource({"in place", "own topic", "other topic", "resend", "resend own key"})
  void theLargestLetterReturnsWhole(String action) throws IOException {
    String id = largestLetter(action);
    String target = longest(TestTopics.fresh("letters"));
    JobLetters there = JobLetters.of(client, target);
    String resend = "/v1/dlq/" + topic + "/" + id + "/resend";
    Fields note = Fields.of("note", "n".repeat(1_024));
    switch (action) {
      case "in place" -> moved(REPROCESS);
      case "own topic" -> moved(REPROCESS.with("to_topic", topic));
      case "other topic" -> moved(REPROCESS.with("to_topic", target));
      case "resend" -> client.post(resend, note).expect(200);
      default -> client.post(resend, note.with("idem_key", longest(action))).expect(200);
    }
    Message message = action.equals("other topic") ? there.recv() : letters.recv();
    assertTrue(message.isIntact());
    assertEquals(1, message.attempt());
    assertEquals(action.equals("in place"), message.msgId().equals(id));
    assertEquals(32, message.json().path("attrs").size());
    assertEquals(MAX_FRAME, message.payload().length);
    assertEquals(List.of(), letters.ids());
    if (!action.equals("other topic")) {
      letters.refuse(message);
      JsonNode again = letters.letter(message.msgId());
      assertEquals("intact", again.path("ledger").path("status").asText(), again::toString);
      moved(Fields.of("action", "discard").with("filter", Fields.NONE));
    }
  }

  private JsonNode moved(Fields order) throws IOException {
    JsonNode job = letters.over(letters.start(order));
    assertEquals(1, job.path("done").asInt(), job::toString);
    return job;
  }

  @ParameterizedTest
  @CsvSource({"true, false", "true, true", "false, false", "false, true"})
  void anExpiredLetterHasTheLifeThatTheJobGives(boolean hasTtl, boolean isNewMessage)
      throws IOException {
    letters.keepReady(hasTtl ? "7d" : "1s");
    Fields message = letters.message("old");
    client.send(hasTtl ? message.with("ttl_ms", 1_000) : message).expect(200);
    awaitLetter("it expires");
    Fields order = isNewMessage ? REPROCESS.with("to_topic", topic) : REPROCESS;

    JsonNode counted = letters.ask(order.with("dry_run", true)).expect(200).json();
    assertTrue(counted.path("advice").asText().startsWith("1 expired"), counted::toString);
    assertTrue(moved(order).path("advice").asText().contains("ttl_ms"));
    awaitLetter("it expires again");

    counted = letters.ask(order.with("dry_run", true).with("ttl_ms", 600_000)).json();
    assertEquals(600_000, counted.path("ttl_ms").asInt());
    assertFalse(counted.has("advice"));
    JsonNode job = moved(order.with("ttl_ms", 600_000));
    assertEquals(600_000, job.path("ttl_ms").asInt());
    // It outlives the second that it had before, without a consumer.
    Deadline later = Deadline.in(Duration.ofSeconds(2));
    while (!later.isOver()) {
      assertEquals(0, letters.count());
    }
    Message alive = letters.recv();
    assertEquals("old", alive.idemKey());
    assertArrayEquals(new byte[] {1, 2, -1}, alive.payload());
  }

  private void awaitLetter(String what) throws IOException {
    Deadline.in(Duration.ofSeconds(30)).await(() -> letters.ids().size() == 1, () -> what);
  }

  @Test
  void aResentLetterHasTheLifeThatIsGiven() throws IOException {
    client.send(letters.message("old").with("ttl_ms", 1)).expect(200);
    awaitLetter("it expires");
    String path = "/v1/dlq/" + topic + "/" + letters.ids().get(0) + "/resend";
    Fields note = Fields.of("note", "n");
    assertEquals(List.of("ttl_ms"), client.post(path, note.with("ttl_ms", 0)).fields());
    client.post(path, note.with("ttl_ms", 600_000)).expect(200);
    assertEquals(1, letters.recv().attempt());
  }

  @Test
  void aMissingTargetIsMadeOrNamed() throws IOException {
    letters.dead(1);
    String target = TestTopics.fresh("letters");
    letters.ask(REPROCESS.with("to_topic", target).with("dry_run", true)).expect(200);
    client.topic(target).expect(404);
    moved(REPROCESS.with("to_topic", target));
    assertEquals(1, client.topic(target).expect(200).json().path("ready").asInt());
  }
}
