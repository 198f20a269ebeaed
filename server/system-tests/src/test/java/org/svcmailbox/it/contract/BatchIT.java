package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

@ContractTest
class BatchIT {
  private static final byte[] PAYLOAD = {1};

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("batch");

  BatchIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void theResultsAreInTheOrderOfTheMessages() throws IOException {
    List<Fields> messages =
        IntStream.range(0, 100).mapToObj(i -> Fields.send(topic, "key" + i, PAYLOAD)).toList();
    List<JsonNode> results = client.sendBatch(messages).expect(200).results();

    var received =
        recvAll(100).stream().collect(Collectors.toMap(Message::idemKey, Message::msgId));
    assertEquals(100, results.size());
    for (int i = 0; i < 100; i++) {
      assertEquals(received.get("key" + i), results.get(i).path("msg_id").asText());
      assertFalse(results.get(i).path("duplicate").asBoolean(true));
    }
  }

  @Test
  void eachMessageSucceedsOrFailsForItself() throws IOException {
    String first = client.send(topic, "a", PAYLOAD).expect(200).msgId();
    List<JsonNode> results =
        client
            .sendBatch(
                List.of(
                    Fields.send(topic, "a", PAYLOAD),
                    Fields.send(topic, "a", new byte[] {2}),
                    Fields.send(topic, "b", PAYLOAD),
                    Fields.send(topic, "b", PAYLOAD)))
            .expect(200)
            .results();

    assertEquals(first, results.get(0).path("msg_id").asText());
    assertTrue(results.get(0).path("duplicate").asBoolean());
    assertEquals("E_DUPLICATE", results.get(1).path("error").path("code").asText());
    assertEquals(409, results.get(1).path("error").path("status").asInt());
    assertFalse(results.get(2).path("duplicate").asBoolean(true));
    assertTrue(results.get(3).path("duplicate").asBoolean(), "a duplicate within the batch");
    assertEquals(results.get(2).path("msg_id"), results.get(3).path("msg_id"));
    recvAll(2);
    assertEquals(0, client.topic(topic).json().path("ready").asInt(-1));
  }

  @Test
  void aMalformedMessageRefusesTheWholeBatch() throws IOException {
    var refused =
        client
            .sendBatch(
                List.of(
                    Fields.send(topic, "a", PAYLOAD),
                    Fields.send(topic, "b", PAYLOAD).with("idem_key", "")))
            .expect(400);
    assertEquals(List.of("messages[1].idem_key"), refused.fields());
    assertEquals(List.of(), client.recv(topic).expect(200).messages());
  }

  @Test
  void aBatchGoesToSeveralTopics() throws IOException {
    String other = TestTopics.fresh("other");
    client
        .sendBatch(List.of(Fields.send(topic, "a", PAYLOAD), Fields.send(other, "a", PAYLOAD)))
        .expect(200);
    assertEquals(topic, client.recv(topic).message().topic());
    assertEquals(other, client.recv(other).message().topic());
  }

  @Test
  void eachAckSucceedsOrFailsForItself() throws IOException {
    client
        .sendBatch(List.of(Fields.send(topic, "a", PAYLOAD), Fields.send(topic, "b", PAYLOAD)))
        .expect(200);
    List<Message> messages = recvAll(2);
    List<Fields> acks =
        List.of(
            ack(messages.get(0).msgId(), messages.get(0).receipt()),
            ack(messages.get(1).msgId(), "somebody-elses"),
            ack("01ARZ3NDEKTSV4RRFFQ69G5FAV", "nobodys"));
    List<JsonNode> results =
        client.post("/v1/ack/batch", Fields.of("acks", acks)).expect(200).results();

    assertTrue(results.get(0).path("ok").asBoolean());
    assertEquals("E_RECEIPT", results.get(1).path("error").path("code").asText());
    assertEquals("E_NOT_FOUND", results.get(2).path("error").path("code").asText());
    assertEquals(1, client.topic(topic).json().path("inflight").asInt(-1));
  }

  @Test
  void eachNackSucceedsOrFailsForItself() throws IOException {
    client
        .sendBatch(List.of(Fields.send(topic, "a", PAYLOAD), Fields.send(topic, "b", PAYLOAD)))
        .expect(200);
    List<Message> messages = recvAll(2);
    Message rejected = messages.get(0);
    Message again = messages.get(1);
    List<Fields> nacks =
        List.of(
            ack(rejected.msgId(), rejected.receipt())
                .with("dead_letter", true)
                .with("reason", "never"),
            ack(again.msgId(), "somebody-elses"),
            ack(again.msgId(), again.receipt()).with("delay_ms", 0),
            ack("01ARZ3NDEKTSV4RRFFQ69G5FAV", "nobodys"));
    List<JsonNode> results =
        client.post("/v1/nack/batch", Fields.of("nacks", nacks)).expect(200).results();

    assertTrue(results.get(0).path("ok").asBoolean());
    assertEquals("E_RECEIPT", results.get(1).path("error").path("code").asText());
    assertTrue(results.get(2).path("ok").asBoolean());
    assertEquals("E_NOT_FOUND", results.get(3).path("error").path("code").asText());
    Message back = recvAll(1).get(0);
    assertEquals(again.msgId(), back.msgId());
    assertEquals(2, back.attempt());
    assertEquals(1, client.topic(topic).json().path("dlq").asInt(-1));
  }

  @Test
  void eachExtensionSucceedsOrFailsForItself() throws IOException {
    client.putTopic(topic, Fields.of("retention_inflight", "1h")).expect(201);
    client
        .sendBatch(List.of(Fields.send(topic, "a", PAYLOAD), Fields.send(topic, "b", PAYLOAD)))
        .expect(200);
    Fields soon = Fields.of("topic", topic).with("wait_ms", 20_000).with("visibility_ms", 5_000);
    List<Message> messages = client.recvAll(soon.with("max_messages", 2), 2);
    Message kept = messages.get(0);
    Message lost = messages.get(1);
    List<Fields> extensions =
        List.of(
            ack(kept.msgId(), kept.receipt()).with("visibility_ms", 45_000),
            ack(lost.msgId(), lost.receipt()).with("visibility_ms", 43_200_000),
            ack("01ARZ3NDEKTSV4RRFFQ69G5FAV", "nobodys").with("visibility_ms", 9_000));
    List<JsonNode> results =
        client.post("/v1/extend/batch", Fields.of("extends", extensions)).expect(200).results();

    assertTrue(results.get(0).path("ok").asBoolean());
    assertEquals("visibility_ms", results.get(1).at("/error/errors/0/field").asText());
    assertEquals("E_NOT_FOUND", results.get(2).path("error").path("code").asText());
    assertEquals(lost.msgId(), client.recv(soon).message().msgId(), "only the other ran out");
    client.ack(kept).expect(200);
  }

  private static Fields ack(String msgId, String receipt) {
    return Fields.of("msg_id", msgId).with("receipt", receipt);
  }

  private List<Message> recvAll(int messages) throws IOException {
    Fields request = Fields.of("topic", topic).with("max_messages", 100).with("wait_ms", 10_000);
    return client.recvAll(request.with("visibility_ms", 60_000), messages);
  }
}
