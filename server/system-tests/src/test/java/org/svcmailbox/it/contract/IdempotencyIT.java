package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;

@ContractTest
class IdempotencyIT {
  private static final byte[] PAYLOAD = "once".getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER = "twice".getBytes(StandardCharsets.UTF_8);

  private final MailboxClient client;

  IdempotencyIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void aHundredConcurrentDuplicatesAreOneMessage() throws Exception {
    String topic = TestTopics.fresh("duplicates");
    List<MailboxAnswer> answers = Together.run(100, () -> client.send(topic, "key", PAYLOAD));

    answers.forEach(answer -> answer.expect(200));
    assertEquals(1, answers.stream().map(MailboxAnswer::msgId).collect(Collectors.toSet()).size());
    assertEquals(99, answers.stream().filter(MailboxAnswer::duplicate).count());
    Fields request =
        Fields.of("topic", topic).with("max_messages", 100).with("visibility_ms", 60_000);
    assertEquals(
        answers.get(0).msgId(), client.recv(request.with("wait_ms", 10_000)).message().msgId());
    assertEquals(List.of(), client.recv(request.with("wait_ms", 300)).messages());
  }

  @Test
  void anotherPayloadUnderTheSameKeyIsRefusedAndNothingIsStored() throws IOException {
    String topic = TestTopics.fresh("conflict");
    String first = client.send(topic, "key", PAYLOAD).expect(200).msgId();

    MailboxAnswer refused = client.send(topic, "key", OTHER).expect(409);

    assertEquals("E_DUPLICATE", refused.code());
    assertEquals(first, client.recv(Fields.of("topic", topic)).message().msgId());
    assertEquals(0, client.topic(topic).json().path("ready").asInt(-1));
  }

  @Test
  void aDuplicateOfAnAcknowledgedMessageIsStillADuplicate() throws IOException {
    String topic = TestTopics.fresh("late");
    String first = client.send(topic, "key", PAYLOAD).expect(200).msgId();
    client.ack(client.recv(topic).message()).expect(200);

    MailboxAnswer again = client.send(topic, "key", PAYLOAD).expect(200);

    assertTrue(again.duplicate());
    assertEquals(first, again.msgId());
    assertEquals(List.of(), client.recv(topic).messages());
  }

  @Test
  void theSameKeyInAnotherTopicIsAnotherMessage() throws IOException {
    MailboxAnswer one = client.send(TestTopics.fresh("one"), "key", PAYLOAD).expect(200);
    MailboxAnswer other = client.send(TestTopics.fresh("other"), "key", PAYLOAD).expect(200);
    assertFalse(other.duplicate());
    assertNotEquals(one.msgId(), other.msgId());
  }

  @Test
  void aKeyIsFreeAgainAfterTheReplayWindowAndNotBefore() throws IOException {
    String topic = TestTopics.fresh("window");
    Duration window = Duration.ofSeconds(2);
    client.putTopic(topic, Fields.of("t_replay", "2s")).expect(201);
    long invoked = System.nanoTime();
    String first = client.send(topic, "key", PAYLOAD).expect(200).msgId();

    Deadline deadline = Deadline.in(window.plusSeconds(30));
    MailboxAnswer again = client.send(topic, "key", PAYLOAD).expect(200);
    while (again.duplicate()) {
      assertEquals(first, again.msgId());
      assertFalse(deadline.isOver(), "the key never became free");
      again = client.send(topic, "key", PAYLOAD).expect(200);
    }
    long elapsed = System.nanoTime() - invoked;
    assertNotEquals(first, again.msgId());
    assertTrue(elapsed >= window.toNanos(), () -> "free after " + elapsed + " ns");
  }
}
