package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** What a server must still know after it ended in some way and was started again. */
final class RestartScenario {
  private static final byte[] PAYLOAD = new byte[100];

  private RestartScenario() {}

  /** Topics, messages in every state, their attempts, and keys. */
  static void everythingIsThere(MailboxServer server, Runnable end) throws IOException {
    MailboxClient client = new MailboxClient(server.target());
    String topic = TestTopics.fresh("survivor");
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 9)).expect(201);
    for (String key : List.of("acked", "refused", "leased", "ready")) {
      client.send(topic, key, PAYLOAD).expect(200);
    }
    client.send(Fields.send(topic, "later", PAYLOAD).with("delay_ms", 3_000)).expect(200);
    Fields one = Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    List<Message> received = client.recvAll(one, 3);
    client.ack(received.get(0)).expect(200);
    client.nack(received.get(1), Fields.of("delay_ms", 0)).expect(200);

    end.run();
    server.restart();

    assertEquals(9, client.topic(topic).expect(200).json().path("max_attempts").asInt());
    Map<String, Integer> attempts =
        client.recvAll(one, 4).stream()
            .collect(Collectors.toMap(Message::idemKey, Message::attempt));
    assertEquals(Map.of("refused", 2, "leased", 1, "ready", 1, "later", 1), attempts);
    for (String key : List.of("acked", "refused", "leased", "ready", "later")) {
      assertTrue(client.send(topic, key, PAYLOAD).expect(200).duplicate(), key);
    }
  }
}
