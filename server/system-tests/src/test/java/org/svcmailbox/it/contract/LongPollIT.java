package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.net.RawConnection;

@ContractTest
class LongPollIT {
  private static final Duration WAITING = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("poll");

  LongPollIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @Test
  void anEmptyTopicIsAnsweredWhenTheWaitIsOverThoughItIsLongerThanTheServersTimeouts()
      throws IOException {
    long before = System.nanoTime();
    assertEquals(
        List.of(), client.recv(Fields.of("topic", topic).with("wait_ms", 6_500)).messages());
    Duration elapsed = Duration.ofNanos(System.nanoTime() - before);
    // The longest wait of all is 30 s.
    assertTrue(elapsed.toMillis() >= 6_450 && elapsed.toMillis() < 20_000, elapsed::toString);
  }

  @Test
  void eachMessageWakesOneOfManyWaiters() throws IOException {
    List<RawConnection> waiters = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        RawConnection waiter = server.target().connect();
        waiters.add(waiter);
        waiter.send(server.target().post("/v1/recv", waiting()));
        assertTrue(waiter.isSilentFor(WAITING));
      }
      for (int i = 0; i < 10; i++) {
        client.send(topic, "key" + i, new byte[10]).expect(200);
      }
      List<String> bodies = new ArrayList<>();
      for (RawConnection waiter : waiters) {
        bodies.add(waiter.receive(SOON).body());
      }
      IntStream.range(0, 10)
          .forEach(
              i ->
                  assertEquals(
                      1, bodies.stream().filter(b -> b.contains("\"key" + i + "\"")).count()));
    } finally {
      for (RawConnection waiter : waiters) {
        waiter.close();
      }
    }
  }

  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  void whoGoesAwayWhileWaitingTakesNoMessage() throws IOException {
    try (RawConnection waiter = server.target().connect()) {
      waiter.send(server.target().post("/v1/recv", waiting()));
      assertTrue(waiter.isSilentFor(Duration.ofMillis(300)));
    }
    client.send(topic, "key", new byte[10]).expect(200);
    Message message = client.recv(waiting().with("wait_ms", 20_000)).message();
    assertEquals(1, message.attempt(), "no attempt is spent on who is gone");
  }

  @Test
  void whoGoesAwayBeforeTheAnswerIsWrittenGivesTheMessagesBackAtOnce() throws IOException {
    // Far more than the two sockets can hold, and all in one answer, so that the server is still
    // writing.
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    byte[] large = new byte[1024 * 1024];
    for (int i = 0; i < 8; i++) {
      client.send(topic, "key" + i, large).expect(200);
    }
    try (RawConnection reader = server.target().connectNarrow()) {
      reader.send(server.target().post("/v1/recv", waiting().with("max_messages", 8)));
      assertTrue(!reader.isSilentFor(SOON), "the answer begins");
    }
    List<Message> back = new ArrayList<>();
    while (back.size() < 8) {
      List<Message> some =
          client.recv(waiting().with("max_messages", 8).with("wait_ms", 20_000)).messages();
      assertTrue(!some.isEmpty(), () -> "only " + back.size() + " came back");
      back.addAll(some);
    }
    assertEquals(List.of(1), back.stream().map(Message::attempt).distinct().toList());
  }

  private Fields waiting() {
    return Fields.of("topic", topic).with("wait_ms", 30_000).with("visibility_ms", 60_000);
  }
}
