package org.svcmailbox.it.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;

/** A topic whose messages die of their first delivery, and jobs over its dead letters. */
final class JobLetters {
  private static final Fields SETTINGS = Fields.of("ready_shards", 1).with("max_attempts", 1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final MailboxClient client;
  private final String topic;

  private JobLetters(MailboxClient client, String topic) {
    this.client = client;
    this.topic = topic;
  }

  /** Makes the topic. */
  static JobLetters of(MailboxClient client, String topic) throws IOException {
    client.putTopic(topic, SETTINGS).expect(201);
    return new JobLetters(client, topic);
  }

  /** Sets how long messages may be ready before they die of it. */
  void keepReady(String retention) throws IOException {
    client.putTopic(topic, SETTINGS.with("retention_ready", retention)).expect(200);
  }

  /** A message that is to die. */
  Fields message(String idemKey) {
    return Fields.send(topic, idemKey, new byte[] {1, 2, -1});
  }

  /** Sends a message and has it die; returns its id. */
  String dead(Fields message) throws IOException {
    String id = client.send(message).expect(200).msgId();
    Message held = recv();
    if (!held.msgId().equals(id)) {
      throw new AssertionError("another message is there: " + held.json());
    }
    refuse(held);
    return id;
  }

  /** So many letters. */
  void dead(int letters) throws IOException {
    for (int i = 0; i < letters; i++) {
      dead(message("letter-" + i));
    }
  }

  /** The next message of the topic. */
  Message recv() throws IOException {
    Fields asking = Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    return client.recv(asking).expect(200).message();
  }

  /** Has a message die. */
  void refuse(Message held) throws IOException {
    client.nack(held, Fields.of("reason", "no").with("delay_ms", 0)).expect(200);
  }

  /** The ids of those there are, newest first. */
  List<String> ids() throws IOException {
    JsonNode page = client.get("/v1/dlq/" + topic + "?limit=100").expect(200).json();
    return page.path("letters").findValuesAsText("msg_id");
  }

  /** One with everything that is known of it. */
  JsonNode letter(String msgId) throws IOException {
    return client.get("/v1/dlq/" + topic + "/" + msgId).expect(200).json();
  }

  /** How many the topic counts. */
  int count() throws IOException {
    return client.topic(topic).expect(200).json().path("dlq").asInt(-1);
  }

  /** Asks for a job. */
  MailboxAnswer ask(Fields order) throws IOException {
    return client.post("/v1/dlq/" + topic + "/jobs", order);
  }

  /** Starts a job. */
  JsonNode start(Fields order) throws IOException {
    return ask(order.with("note", "a test")).expect(202).json();
  }

  /** Waits until a job is over. */
  JsonNode over(JsonNode job) throws IOException {
    Deadline.in(PATIENCE)
        .await(() -> now(job).has("finished_at"), () -> "the end of " + job.path("job_id"));
    return now(job);
  }

  /** How a job stands now. */
  JsonNode now(JsonNode job) throws IOException {
    return client.get(path(job)).expect(200).json();
  }

  /** Has a job pause, resume or cancel. */
  JsonNode have(JsonNode job, String verb) throws IOException {
    return client.post(path(job) + "/" + verb, Fields.NONE).expect(200).json();
  }

  static String path(JsonNode job) {
    return "/v1/jobs/" + job.path("job_id").asText();
  }
}
