package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** Messages that die just before the server does. */
final class FreshDeadLetters implements Scenario {
  private static final int LETTERS = 60;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("letters");
  private final Set<String> dead = new TreeSet<>();

  FreshDeadLetters(MailboxClient client) {
    this.client = client;
  }

  @Override
  public String name() {
    return "what died just before is found by its reason";
  }

  @Override
  public void before() throws IOException {
    client.putTopic(topic, Fields.of("max_attempts", 1)).expect(201);
    for (int i = 0; i < LETTERS; i++) {
      dead.add(client.send(topic, "key-" + i, new byte[100]).expect(200).msgId());
    }
    Fields all =
        Fields.of("topic", topic)
            .with("max_messages", 100)
            .with("wait_ms", 5_000)
            .with("visibility_ms", 600_000);
    for (Message held : client.recvAll(all, LETTERS)) {
      client
          .post("/v1/nack", Fields.of("msg_id", held.msgId()).with("reason", "poison"))
          .expect(200);
    }
  }

  @Override
  public void after() throws IOException {
    Set<String> found = new TreeSet<>();
    client
        .get("/v1/dlq/" + topic + "?q=poison&limit=100")
        .expect(200)
        .json()
        .path("letters")
        .forEach(letter -> found.add(letter.path("msg_id").asText()));
    assertEquals(dead, found);
  }
}
