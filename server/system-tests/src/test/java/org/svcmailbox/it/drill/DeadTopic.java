package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;

/** A topic whose messages die of their first delivery, and whose dead letters are known. */
final class DeadTopic {
  private static final int BATCH = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MailboxClient client;
  private final String name;

  /** The key of each dead letter by its id. */
  private final Map<String, String> keys = new HashMap<>();

  private DeadTopic(MailboxClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Makes the topic, without anything in it. */
  static DeadTopic make(MailboxClient client, String name) throws IOException {
    Fields settings =
        Fields.of("ready_shards", 2).with("max_attempts", 1).with("backoff_base", "20ms");
    client.putTopic(name, settings).expect(201);
    return new DeadTopic(client, name);
  }

  String name() {
    return name;
  }

  /** The keys of all that ever died here, by their ids. */
  Map<String, String> keys() {
    return Map.copyOf(keys);
  }

  /**
   * Sends so many messages and has them die of a lease that runs out.
   *
   * @param kind an attribute of theirs, with which their keys begin
   */
  void deadLetter(String kind, int letters) throws IOException {
    int all = keys.size() + letters;
    for (int first = 0; first < letters; first += BATCH) {
      send(kind, first, Math.min(letters, first + BATCH));
    }
    for (Message message : client.recvAll(asking(250).with("wait_ms", 5_000), letters)) {
      keys.put(message.msgId(), message.idemKey());
    }
    if (keys.size() != all) {
      throw new AssertionError(keys.size() + " messages, not " + all);
    }
    Deadline.in(PATIENCE)
        .await(
            () -> client.topic(name).expect(200).json().path("dlq").asInt() == all,
            () -> all + " dead letters of " + name);
  }

  private void send(String kind, int first, int end) throws IOException {
    List<Fields> messages = new ArrayList<>();
    for (int i = first; i < end; i++) {
      String key = kind + "-" + i;
      messages.add(Fields.send(name, key, payload(key)).with("attrs", Fields.of("kind", kind)));
    }
    for (JsonNode result : client.sendBatch(messages).expect(200).results()) {
      if (!result.has("msg_id")) {
        throw new AssertionError("not sent: " + result);
      }
    }
  }

  private Fields asking(int visibilityMillis) {
    return Fields.of("topic", name)
        .with("max_messages", BATCH)
        .with("visibility_ms", visibilityMillis);
  }

  /** The payload of the message with a key. */
  static byte[] payload(String key) {
    return ("the payload of " + key).getBytes(StandardCharsets.UTF_8);
  }

  /** Receives and acknowledges everything that is there. */
  List<Message> drain() {
    List<Message> all = new ArrayList<>();
    Fields lease = asking(60_000).with("wait_ms", 100);
    Deadline.in(PATIENCE)
        .await(
            () -> {
              List<Message> some = client.recv(lease).expect(200).messages();
              if (some.isEmpty()) {
                return DrillLoad.left(client, name) == 0;
              }
              acknowledge(some);
              all.addAll(some);
              return false;
            },
            () -> "the end of " + name);
    return all;
  }

  private void acknowledge(List<Message> messages) throws IOException {
    for (JsonNode result : client.ackBatch(messages).expect(200).results()) {
      if (!result.path("ok").asBoolean()) {
        throw new AssertionError("not acknowledged: " + result);
      }
    }
  }

  /** The ids of the dead letters there are, page by page. */
  List<String> letters() throws IOException {
    List<String> ids = new ArrayList<>();
    JsonNode page = page("");
    ids.addAll(page.path("letters").findValuesAsText("msg_id"));
    while (page.has("next_cursor")) {
      page = page("&cursor=" + page.path("next_cursor").asText());
      ids.addAll(page.path("letters").findValuesAsText("msg_id"));
    }
    return ids;
  }

  private JsonNode page(String cursor) throws IOException {
    return client.get("/v1/dlq/" + name + "?limit=100" + cursor).expect(200).json();
  }

  /** Starts a job over the letters of a kind; returns its path. */
  String start(String kind, Fields order) throws IOException {
    Fields filter = Fields.of("attrs", Fields.of("kind", kind));
    MailboxAnswer started =
        client
            .post("/v1/dlq/" + name + "/jobs", order.with("filter", filter).with("note", "drill"))
            .expect(202);
    return started.header("Location").orElseThrow();
  }
}
