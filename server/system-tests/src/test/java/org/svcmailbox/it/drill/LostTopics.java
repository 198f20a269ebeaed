package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;

/** Topics that are made, resized and deleted in moments that the database then loses. */
record LostTopics(MailboxClient client, String prefix) {
  private static final byte[] PAYLOAD = new byte[1];
  private static final int MESSAGES = 8;

  private String doomed() {
    return prefix + "-doomed";
  }

  private String grown() {
    return prefix + "-grown";
  }

  private String fresh() {
    return prefix + "-fresh";
  }

  /** Before those moments. */
  void prepare() throws IOException {
    client.putTopic(doomed(), Fields.of("ready_shards", 1)).expect(201);
    client.send(doomed(), "k", PAYLOAD).expect(200);
    client.putTopic(grown(), Fields.of("ready_shards", 1)).expect(201);
  }

  void change() throws IOException {
    client.deleteTopic(doomed()).expect(200);
    client.putTopic(grown(), Fields.of("ready_shards", 3)).expect(200);
    client.putTopic(fresh(), Fields.of("ready_shards", 2)).expect(201);
    for (int i = 0; i < MESSAGES; i++) {
      client.send(grown(), "k" + i, PAYLOAD).expect(200);
      client.send(fresh(), "k" + i, PAYLOAD).expect(200);
    }
  }

  /** Once the service has found the fallback. */
  void assertKept(String label) throws IOException {
    assertEquals(404, client.topic(doomed()).status(), label);
    assertFalse(client.send(doomed(), "k", PAYLOAD).expect(200).duplicate(), label);
    for (String topic : new String[] {grown(), fresh()}) {
      for (int i = 0; i < MESSAGES; i++) {
        assertTrue(client.send(topic, "k" + i, PAYLOAD).expect(200).duplicate(), label);
      }
      Fields asking = Fields.of("topic", topic).with("max_messages", 10).with("wait_ms", 1_000);
      assertEquals(MESSAGES, client.recvAll(asking, MESSAGES).size(), label);
    }
    assertEquals(3, client.topic(grown()).expect(200).json().path("ready_shards").asInt(), label);
  }
}
