package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;

@ContractTest
class VisibilityIT {
  private static final Duration DRIFT = Duration.ofMillis(50);

  /** Patient with a busy machine, and still below the service's default visibility. */
  private static final Duration LATEST = Duration.ofSeconds(4);

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("visibility");

  VisibilityIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void anUnacknowledgedMessageComesBackAfterItsVisibility() throws IOException {
    long before = System.nanoTime();
    Message first = sendAndReceive(1_000);

    Message second = client.recv(waiting(10_000)).message();

    assertEquals(first.msgId(), second.msgId());
    assertEquals(2, second.attempt());
    assertNotEquals(first.receipt(), second.receipt());
    assertBetween(1_000, before);
  }

  @Test
  void nobodyElseGetsAMessageUnderALease() throws IOException {
    sendAndReceive(60_000);
    assertEquals(List.of(), client.recv(waiting(0)).messages());
  }

  @Test
  void anAckIsFinal() throws IOException {
    Message message = sendAndReceive(250);
    client.ack(message).expect(200);
    // Three times as long as the lease would have been.
    assertEquals(List.of(), client.recv(waiting(750)).messages());
    assertEquals(0, count("ready") + count("inflight") + count("delayed") + count("dlq"));
  }

  @Test
  void aRepeatedAckIsAnsweredOkAgain() throws IOException {
    Message message = sendAndReceive(60_000);
    client.ack(message).expect(200);
    client.ack(message).expect(200);
    client.ack(message.msgId(), null).expect(200);
  }

  @Test
  void anAckWithoutAReceiptSettlesTheCurrentLease() throws IOException {
    Message message = sendAndReceive(60_000);
    client.ack(message.msgId(), null).expect(200);
    assertEquals(0, count("inflight"));
  }

  @Test
  void aLateAckCountsWhileNobodyElseHoldsTheMessage() throws IOException {
    Message message = sendAndReceive(250);
    awaitReturn();
    client.ack(message).expect(200);
    assertEquals(List.of(), client.recv(waiting(300)).messages());
  }

  @Test
  void aSupersededReceiptIsRefused() throws IOException {
    Message first = sendAndReceive(250);
    Message second = client.recv(waiting(10_000).with("visibility_ms", 60_000)).message();

    for (MailboxAnswer refused :
        List.of(
            client.ack(first),
            client.nack(first, Fields.NONE),
            client.extend(first, Duration.ofSeconds(60)))) {
      assertEquals("E_RECEIPT", refused.expect(410).code());
      assertEquals("superseded", refused.json().path("why").asText());
    }
    client.ack(second).expect(200);
  }

  @Test
  void nothingElseIsPossibleAfterAnAck() throws IOException {
    Message message = sendAndReceive(60_000);
    client.ack(message).expect(200);
    MailboxAnswer nack = client.nack(message, Fields.NONE).expect(410);
    MailboxAnswer extend = client.extend(message, Duration.ofSeconds(60)).expect(410);
    assertEquals("acked", nack.json().path("why").asText());
    assertEquals("acked", extend.json().path("why").asText());
  }

  @Test
  void anExtendedLeaseLastsFromTheExtension() throws IOException {
    Message first = sendAndReceive(5_000);
    long before = System.nanoTime();
    client.extend(first, Duration.ofSeconds(6)).expect(200);
    assertEquals(first.msgId(), client.recv(waiting(15_000)).message().msgId());
    assertBetween(6_000, before);
  }

  @Test
  void aRefusedMessageComesBackWhenTheRefusalSays() throws IOException {
    Message first = sendAndReceive(60_000);
    Fields request = Fields.of("reason", "not now").with("delay_ms", 600);
    long before = System.nanoTime();
    client.nack(first, request).expect(200);
    Message second = client.recv(waiting(10_000)).message();
    assertEquals(2, second.attempt());
    assertBetween(600, before);
  }

  @Test
  void aRefusalWithoutADelayBacksOffByTheTopicsPolicy() throws IOException {
    client.putTopic(topic, Fields.of("backoff_base", "1ms").with("backoff_max", "2ms")).expect(201);
    Message first = sendAndReceive(60_000);
    long before = System.nanoTime();
    client.nack(first, Fields.NONE).expect(200);
    assertEquals(2, client.recv(waiting(10_000)).message().attempt());
    assertBetween(0, before);
  }

  @Test
  void oneOfManyConcurrentReceiversGetsTheMessage() throws Exception {
    client.send(topic, "key", new byte[1]).expect(200);
    List<MailboxAnswer> answers =
        Together.run(20, () -> client.recv(waiting(2_000).with("visibility_ms", 60_000)));
    assertEquals(1, answers.stream().mapToInt(answer -> answer.messages().size()).sum());
  }

  @Test
  void oneMessageIsAcknowledgedByManyAtOnce() throws Exception {
    Message message = sendAndReceive(60_000);
    List<MailboxAnswer> answers = Together.run(20, () -> client.ack(message));
    assertEquals(List.of(200), answers.stream().map(MailboxAnswer::status).distinct().toList());
  }

  @Test
  void theDefaultVisibilityIsTheTopics() throws IOException {
    client.putTopic(topic, Fields.of("default_visibility", "400ms")).expect(201);
    client.send(topic, "key", new byte[1]).expect(200);
    long before = System.nanoTime();
    client.recv(topic).message();
    client.recv(waiting(10_000)).message();
    assertBetween(400, before);
  }

  @Test
  void anIdThatNobodyReceivedIsUnknown() throws IOException {
    List<Integer> statuses =
        List.of(
            client.ack("01ARZ3NDEKTSV4RRFFQ69G5FAV", null).status(),
            client.ack("01ARZ3NDEKTSV4RRFFQ69G5FAV", "nobody").status());
    assertEquals(List.of(404, 404), statuses);
  }

  private Message sendAndReceive(int visibilityMillis) throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    return client.recv(waiting(5_000).with("visibility_ms", visibilityMillis)).message();
  }

  private Fields waiting(int millis) {
    return Fields.of("topic", topic).with("wait_ms", millis);
  }

  private long count(String name) throws IOException {
    return client.topic(topic).expect(200).json().path(name).asLong(-1);
  }

  /** Returns when the message is back in the topic, without taking it. */
  private void awaitReturn() {
    Deadline.in(Duration.ofSeconds(30)).await(() -> count("ready") == 1, () -> "its return");
  }

  private static void assertBetween(int millis, long before) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - before);
    Duration least = Duration.ofMillis(millis).minus(DRIFT);
    assertTrue(elapsed.compareTo(least) >= 0, () -> "too early: " + elapsed);
    assertTrue(elapsed.compareTo(least.plus(LATEST)) <= 0, () -> "too late: " + elapsed);
  }
}
