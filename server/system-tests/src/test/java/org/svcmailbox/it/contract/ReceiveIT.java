package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

@ContractTest
class ReceiveIT {
  /** Four shards, each of which may have been cut short once. */
  private static final int FEW_CALLS = 8;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("receive");

  ReceiveIT(MailboxClient client) {
    this.client = client;
  }

  @Test
  void oneMessageIsHandedOutUnlessMoreAreAskedFor() throws IOException {
    send(5, 10);
    assertEquals(1, recv(Fields.NONE.with("topic", topic)).size());
  }

  @Test
  void neverMoreMessagesAreHandedOutThanAskedFor() throws IOException {
    send(10, 10);
    Fields request = request().with("max_messages", 3);
    for (int left = 10; left > 0; ) {
      int size = client.recvAll(request.with("wait_ms", 10_000), 1).size();
      assertTrue(size <= 3, () -> size + " messages");
      left -= size;
    }
    assertEquals(List.of(), recv(request));
  }

  @Test
  void neverMoreBytesAreHandedOutThanAskedFor() throws IOException {
    send(10, 100);
    Fields request = request().with("max_bytes", 350);
    for (int left = 10; left > 0; ) {
      int size = client.recvAll(request.with("wait_ms", 10_000), 1).size();
      assertTrue(size <= 3, () -> size + " messages of 100 bytes");
      left -= size;
    }
  }

  @Test
  void aBacklogTakesFewCalls() throws IOException {
    // Messages may be on their way from the broker, but hardly so in each of three rounds.
    List<Integer> rounds = new ArrayList<>();
    do {
      rounds.add(callsForABacklog("round" + rounds.size() + "-"));
    } while (Collections.min(rounds) > FEW_CALLS && rounds.size() < 3);
    assertTrue(
        Collections.min(rounds) <= FEW_CALLS,
        () -> rounds + " calls for 60 messages, 100 asked for in each");
  }

  private int callsForABacklog(String key) throws IOException {
    for (int i = 0; i < 60; i++) {
      client.send(topic, key + i, new byte[10]).expect(200);
    }
    int calls = 0;
    for (int left = 60; left > 0; calls++) {
      left -= client.recvAll(request().with("wait_ms", 10_000), 1).size();
    }
    return calls;
  }

  @Test
  void aMessageThatIsLargerThanAskedForIsHandedOutAlone() throws IOException {
    send(3, 100);
    assertEquals(1, recv(request().with("max_bytes", 10)).size());
  }

  @Test
  void anEmptyTopicIsAnsweredAtOnce() throws IOException {
    // A busy machine delays some answers, but not all.
    List<Duration> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      long before = System.nanoTime();
      assertEquals(List.of(), recv(request()));
      answers.add(Duration.ofNanos(System.nanoTime() - before));
    }
    assertTrue(Collections.min(answers).toMillis() < 1_000, answers::toString);
  }

  @Test
  void aShardThatTheTopicDoesNotHaveIsNotFound() throws IOException {
    send(1, 10);
    assertEquals("E_NOT_FOUND", client.recv(request().with("shard", 4)).expect(404).code());
  }

  @Test
  void aDelayedMessageIsHiddenUntilItsTime() throws IOException {
    client.send(Fields.send(topic, "later", new byte[1]).with("delay_ms", 600_000)).expect(200);
    assertEquals(1, client.topic(topic).json().path("delayed").asInt(-1));
    assertEquals(List.of(), recv(request()));
    long before = System.nanoTime();
    client.send(Fields.send(topic, "soon", new byte[1]).with("delay_ms", 800)).expect(200);
    Message message = client.recv(request().with("wait_ms", 10_000)).message();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - before);
    assertEquals("soon", message.idemKey());
    assertEquals(1, message.attempt());
    // The wait would end empty after 10 s.
    assertTrue(elapsed.toMillis() >= 750 && elapsed.toMillis() < 8_000, elapsed::toString);
  }

  private void send(int messages, int bytes) throws IOException {
    for (int i = 0; i < messages; i++) {
      client.send(topic, "key" + i, new byte[bytes]).expect(200);
    }
  }

  private Fields request() {
    return Fields.of("topic", topic).with("max_messages", 100).with("visibility_ms", 60_000);
  }

  private List<Message> recv(Fields request) throws IOException {
    return client.recv(request).expect(200).messages();
  }
}
