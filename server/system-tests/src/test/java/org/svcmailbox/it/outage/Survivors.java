package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** A topic, messages in every state, their attempts, and keys. */
final class Survivors implements Scenario {
  private static final byte[] PAYLOAD = new byte[100];

  private final MailboxClient client;
  private final boolean leasesEnd;
  private final String topic = TestTopics.fresh("survivor");
  private final Fields one =
      Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 600_000);

  private List<Message> received = List.of();

  /**
   * As above.
   *
   * @param leasesEnd whether the server ends as in a crash
   */
  Survivors(MailboxClient client, boolean leasesEnd) {
    this.client = client;
    this.leasesEnd = leasesEnd;
  }

  @Override
  public String name() {
    return "topics, messages, attempts and keys are there";
  }

  @Override
  public void before() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 9)).expect(201);
    for (String key : List.of("acked", "refused", "leased", "ready")) {
      client.send(topic, key, PAYLOAD).expect(200);
    }
    client.send(Fields.send(topic, "later", PAYLOAD).with("delay_ms", 3_000)).expect(200);
    received = client.recvAll(one, 3);
    client.ack(received.get(0)).expect(200);
    client.nack(received.get(1), Fields.of("delay_ms", 0)).expect(200);
  }

  @Override
  public void after() throws IOException {
    assertEquals(9, client.topic(topic).expect(200).json().path("max_attempts").asInt());
    Map<String, Integer> attempts =
        client.recvAll(one, leasesEnd ? 4 : 3).stream()
            .collect(Collectors.toMap(Message::idemKey, Message::attempt));
    Map<String, Integer> expected = new HashMap<>(Map.of("refused", 2, "ready", 1, "later", 1));
    if (leasesEnd) {
      expected.put("leased", 1);
    } else {
      client.ack(received.get(2)).expect(200);
    }
    assertEquals(expected, attempts);
    for (String key : List.of("acked", "refused", "leased", "ready", "later")) {
      assertTrue(client.send(topic, key, PAYLOAD).expect(200).duplicate(), key);
    }
  }
}
