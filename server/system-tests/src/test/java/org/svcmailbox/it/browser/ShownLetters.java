package org.svcmailbox.it.browser;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** A topic of its own whose messages are dead-lettered after one attempt. */
final class ShownLetters {
  private static final int BATCH = 100;

  private final MailboxClient client;
  private final String topic;
  private int made;

  private ShownLetters(MailboxClient client, String topic) {
    this.client = client;
    this.topic = topic;
  }

  /** Creates an empty topic. */
  static ShownLetters fresh(MailboxClient client, String purpose) throws IOException {
    String topic = TestTopics.fresh(purpose);
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 1)).expect(201);
    return new ShownLetters(client, topic);
  }

  /** The same letters, whose next messages another holder sends and refuses. */
  ShownLetters as(MailboxClient holder) {
    return new ShownLetters(holder, topic);
  }

  String topic() {
    return topic;
  }

  /** The console's fragment for the topic's dead letters. */
  String place() {
    return "#/topics/" + topic + "/letters";
  }

  /** Adds a dead letter and returns its message id. */
  String add(String key, byte[] payload, Map<String, String> attrs, String error)
      throws IOException {
    client.send(Fields.send(topic, key, payload).with("attrs", attrs)).expect(200);
    Message message = client.recv(asking(1)).expect(200).message();
    refuse(message, error);
    return message.msgId();
  }

  /** Adds dead letters with the same error. */
  void add(int number, String error) throws IOException {
    for (int from = 0; from < number; from += BATCH) {
      int size = Math.min(BATCH, number - from);
      List<Fields> messages = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        made++;
        messages.add(Fields.send(topic, "key-" + made, new byte[] {1, 2, -1}));
      }
      client.sendBatch(messages).expect(200);
      for (Message message : client.recvAll(asking(BATCH), size)) {
        refuse(message, error);
      }
    }
  }

  /** Adds dead letters that nobody received in time. */
  void expire(int number) throws IOException {
    for (int i = 0; i < number; i++) {
      made++;
      client.send(Fields.send(topic, "key-" + made, new byte[] {1}).with("ttl_ms", 1)).expect(200);
    }
    Deadline.in(Duration.ofSeconds(30)).await(() -> count() == number, () -> number + " letters");
  }

  /** Redrives all, in place or to another topic, and returns the finished job's id. */
  String redrive(String target) throws IOException {
    Fields inPlace = Fields.of("action", "reprocess").with("filter", Map.of());
    Fields order = target.equals(topic) ? inPlace : inPlace.with("to_topic", target);
    String job =
        client
            .post("/v1/dlq/" + topic + "/jobs", order.with("note", "a test"))
            .expect(202)
            .json()
            .path("job_id")
            .asText();
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> client.get("/v1/jobs/" + job).expect(200).json().has("finished_at"),
            () -> "the end of " + job);
    return job;
  }

  /** The number of dead letters. */
  long count() throws IOException {
    return client.topic(topic).expect(200).json().path("dlq").asLong();
  }

  /** The number of ready messages. */
  long ready() throws IOException {
    return client.topic(topic).expect(200).json().path("ready").asLong();
  }

  private Fields asking(int messages) {
    return Fields.of("topic", topic)
        .with("wait_ms", 5_000)
        .with("visibility_ms", 60_000)
        .with("max_messages", messages);
  }

  private void refuse(Message message, String error) throws IOException {
    client.nack(message, Fields.of("reason", error).with("delay_ms", 0)).expect(200);
  }
}
