package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Together;

@ContractTest
class TopicsIT {
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("topic");

  TopicsIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void aTopicIsMadeLookedAtChangedListedAndRemoved() throws IOException {
    client.topic(topic).expect(404);
    client.putTopic(topic, Fields.of("ready_shards", 2).with("max_attempts", 7)).expect(201);
    assertEquals(2, client.topic(topic).expect(200).json().path("ready_shards").asInt());
    assertEquals(7, client.topic(topic).expect(200).json().path("max_attempts").asInt());

    client.putTopic(topic, Fields.of("max_attempts", 9)).expect(200);
    assertEquals(9, client.topic(topic).expect(200).json().path("max_attempts").asInt());
    assertEquals(2, client.topic(topic).expect(200).json().path("ready_shards").asInt());
    assertTrue(isListed());

    client.deleteTopic(topic).expect(200);
    client.topic(topic).expect(404);
    client.deleteTopic(topic).expect(404);
    assertFalse(isListed());
  }

  @Test
  void aChangeKeepsTheOtherSettings() throws IOException {
    client.changeTopic(topic, Fields.of("max_attempts", 9), "").expect(404);
    client.putTopic(topic, Fields.of("ready_shards", 2).with("reprocess_after", "1h")).expect(201);
    client.changeTopic(topic, Fields.of("max_attempts", 9).with("retention_dlq", "3d"), "");
    JsonNode changed = client.topic(topic).expect(200).json();
    assertEquals(9, changed.path("max_attempts").asInt());
    assertEquals("1h", changed.path("reprocess_after").asText());
    assertEquals("3d", changed.path("retention_dlq").asText());
    client.changeTopic(topic, Fields.NONE, "retention_dlq,reprocess_after").expect(200);
    changed = client.topic(topic).expect(200).json();
    assertEquals("14d", changed.path("retention_dlq").asText());
    assertTrue(changed.path("reprocess_after").isMissingNode());
    assertEquals(9, changed.path("max_attempts").asInt());
    client.changeTopic(topic, Fields.NONE, "colour").expect(400);
    client.changeTopic(topic, Fields.of("max_attempts", 0), "").expect(400);
    assertEquals(9, client.topic(topic).expect(200).json().path("max_attempts").asInt());
  }

  @Test
  void settingsThatContradictEachOtherAreRefusedAndChangeNothing() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 2)).expect(201);
    MailboxAnswer refused =
        client
            .putTopic(
                topic,
                Fields.of("ready_shards", 3)
                    .with("backoff_base", "2s")
                    .with("backoff_max", "1s")
                    .with("default_visibility", "10s")
                    .with("retention_inflight", "9s"))
            .expect(400);
    assertEquals(List.of("backoff_max", "retention_inflight"), refused.fields());
    assertEquals(2, client.topic(topic).expect(200).json().path("ready_shards").asInt());
  }

  @Test
  void aNewTopicHasTheServicesSettings() throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    JsonNode settings = client.topic(topic).expect(200).json();
    assertEquals(4, settings.path("ready_shards").asInt());
    assertEquals(10_000, settings.path("shard_capacity").asInt());
    assertEquals(5, settings.path("max_attempts").asInt());
    assertEquals("5s", settings.path("default_visibility").asText());
  }

  @Test
  void theCountsAreWhatIsThere() throws IOException {
    for (int i = 0; i < 6; i++) {
      client.send(topic, "key" + i, new byte[1]).expect(200);
    }
    client.send(Fields.send(topic, "later", new byte[1]).with("delay_ms", 60_000)).expect(200);
    Fields one = Fields.of("topic", topic).with("wait_ms", 10_000).with("visibility_ms", 60_000);
    client.recvAll(one, 2);
    JsonNode counts = client.topic(topic).expect(200).json();
    assertEquals(4, counts.path("ready").asInt());
    assertEquals(2, counts.path("inflight").asInt());
    assertEquals(1, counts.path("delayed").asInt());
    assertEquals(0, counts.path("dlq").asInt());
    assertTrue(counts.path("oldest_ready_age_ms").isIntegralNumber(), counts::toString);
  }

  @Test
  void aTopicThatIsMadeAnewHasNothingOfTheOldOne() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    client.send(topic, "key", new byte[1]).expect(200);
    client.deleteTopic(topic).expect(200);
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);

    assertEquals(List.of(), client.recv(topic).expect(200).messages());
    assertFalse(client.send(topic, "key", new byte[1]).expect(200).duplicate());
    assertEquals(1, client.recv(topic).message().seq());
  }

  @Test
  void manyWhoMakeTheSameTopicAgreeOnOne() throws Exception {
    List<MailboxAnswer> answers =
        Together.run(20, () -> client.putTopic(topic, Fields.of("ready_shards", 3)));
    assertEquals(1, answers.stream().filter(answer -> answer.status() == 201).count());
    assertEquals(19, answers.stream().filter(answer -> answer.status() == 200).count());
  }

  @Test
  void topicsAreListedInPagesWithTheirSettings() throws IOException {
    String behind = topic + "-2";
    client.putTopic(topic, Fields.of("max_attempts", 7)).expect(201);
    client.putTopic(behind, Fields.of("t_replay", "90s")).expect(201);
    client.send(topic, "key", new byte[1]).expect(200);

    List<JsonNode> all = client.everyTopic(3);
    List<String> names = all.stream().map(one -> one.path("name").asText()).toList();
    assertEquals(names.stream().sorted().distinct().toList(), names);
    JsonNode here = all.get(names.indexOf(topic));
    assertEquals(7, here.at("/settings/max_attempts").asInt());
    assertEquals(1, here.path("depth").asInt());
    assertEquals("90s", all.get(names.indexOf(behind)).at("/settings/t_replay").asText());

    JsonNode next = client.get("/v1/topics?limit=1&cursor=" + topic).expect(200).json();
    assertEquals(List.of(behind), next.findValuesAsText("name"));
    for (String bad : List.of("limit=0", "limit=1001", "cursor=%20", "surprise=1")) {
      client.get("/v1/topics?" + bad).expect(400);
    }
  }

  private boolean isListed() throws IOException {
    return client.everyTopic(1_000).stream()
        .anyMatch(one -> one.path("name").asText().equals(topic));
  }
}
