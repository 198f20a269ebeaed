package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * What outlives the server's process, and how the process ends. One server, ended by every test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartIT {
  private static final byte[] PAYLOAD = new byte[100];

  private final long before = System.nanoTime();
  private final MailboxServer server = MailboxServer.start("restart", Map.of());
  private final Duration start = Duration.ofNanos(System.nanoTime() - before);
  private final MailboxClient client = new MailboxClient(server.target());

  @AfterAll
  void end() {
    server.close();
  }

  @BeforeEach
  void theServerRuns() {
    if (!server.isAlive()) {
      server.restart();
    }
  }

  @Test
  void aKilledServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    RestartScenario.everythingIsThere(server, server::kill9);
  }

  @Test
  void aStoppedServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    RestartScenario.everythingIsThere(
        server, () -> assertEquals(0, server.terminate(), "exit code"));
  }

  @Test
  void whatDiedJustBeforeTheServerWasKilledIsFoundByItsReason() throws IOException {
    String topic = TestTopics.fresh("letters");
    client.putTopic(topic, Fields.of("max_attempts", 1)).expect(201);
    Set<String> dead = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      dead.add(client.send(topic, "key-" + i, PAYLOAD).expect(200).msgId());
    }
    for (Message held :
        client.recvAll(Fields.of("topic", topic).with("max_messages", 100), dead.size())) {
      client
          .post("/v1/nack", Fields.of("msg_id", held.msgId()).with("reason", "poison"))
          .expect(200);
    }
    server.kill9();
    server.restart();
    Set<String> found = new TreeSet<>();
    client
        .get("/v1/dlq/" + topic + "?q=poison&limit=100")
        .expect(200)
        .json()
        .path("letters")
        .forEach(letter -> found.add(letter.path("msg_id").asText()));
    assertEquals(dead, found);
  }

  @Test
  void theReplayWindowGoesOnAcrossARestartAndEnds() throws IOException {
    String topic = TestTopics.fresh("window");
    Duration window = start.multipliedBy(2).plusSeconds(10);
    client.putTopic(topic, Fields.of("t_replay", window.toSeconds() + "s")).expect(201);
    long sent = System.nanoTime();
    String first = client.send(topic, "key", PAYLOAD).expect(200).msgId();

    server.kill9();
    server.restart();

    MailboxAnswer again = client.send(topic, "key", PAYLOAD).expect(200);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - sent);
    assertTrue(elapsed.compareTo(window) < 0, () -> "the restart took too long: " + elapsed);
    assertTrue(again.duplicate());
    assertEquals(first, again.msgId());
    Deadline.in(window.plusSeconds(10))
        .await(
            () -> !client.send(topic, "key", PAYLOAD).expect(200).duplicate(),
            () -> "the end of the window");
    long whole = Duration.ofSeconds(window.toSeconds()).toNanos();
    assertTrue(System.nanoTime() - sent >= whole, "the window was too short");
  }

  @Test
  void aServerThatIsToldToStopRefusesNewWorkFinishesOldWorkAndLosesNothing() throws Exception {
    String topic = TestTopics.fresh("stopping");
    client.send(topic, "held", PAYLOAD).expect(200);
    Fields one = Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    Message held = client.recv(one).message();
    Senders senders = new Senders(topic);
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      Fields nothing = Fields.of("topic", TestTopics.fresh("empty")).with("wait_ms", 30_000);
      Future<MailboxAnswer> waiter = threads.submit(() -> client.recv(nothing));
      senders.start(threads, 4);
      Future<Integer> exit = threads.submit(server::terminate);
      senders.awaitRefusal();
      client.ack(held).expect(200);
      assertEquals(0, exit.get(30, TimeUnit.SECONDS), "exit code");
      assertTrue(List.of(200, 503).contains(waiter.get(5, TimeUnit.SECONDS).status()));
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    }
    senders.assertOnlyRefused();
    server.restart();
    senders.assertAllThere();
  }

  /** Clients that send until nobody answers any more. */
  private final class Senders {
    private final String topic;
    private final Queue<MailboxAnswer> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
    private final CountDownLatch underLoad = new CountDownLatch(200);
    private final CountDownLatch refused = new CountDownLatch(1);

    Senders(String topic) {
      this.topic = topic;
    }

    void start(ExecutorService threads, int number) throws InterruptedException {
      for (int i = 0; i < number; i++) {
        String sender = "s" + i;
        threads.execute(() -> sendUntilGone(sender));
      }
      assertTrue(underLoad.await(60, TimeUnit.SECONDS), "no load came about");
    }

    void awaitRefusal() throws InterruptedException {
      assertTrue(refused.await(30, TimeUnit.SECONDS), "nobody was told that the server stops");
    }

    private void sendUntilGone(String sender) {
      try {
        for (int i = 0; ; i++) {
          String key = sender + "-" + i;
          MailboxAnswer answer = client.send(topic, key, PAYLOAD);
          if (answer.status() == 200) {
            accepted.add(key);
            underLoad.countDown();
          } else {
            refusals.add(answer);
            refused.countDown();
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
          }
        }
      } catch (IOException e) {
        // The process is gone; what it had not answered may be there or not.
      }
    }

    /** Ours says when to come back; the bare server below it, which ends last, says 503 or 404. */
    void assertOnlyRefused() {
      List<MailboxAnswer> ours =
          refusals.stream().filter(answer -> !answer.code().isEmpty()).toList();
      assertFalse(ours.isEmpty());
      for (MailboxAnswer answer : ours) {
        assertEquals(503, answer.status());
        assertEquals("E_UNAVAILABLE", answer.code());
        assertTrue(answer.header("retry-after").isPresent(), answer::text);
      }
    }

    void assertAllThere() throws IOException {
      for (String key : accepted) {
        assertTrue(client.send(topic, key, PAYLOAD).expect(200).duplicate(), key);
      }
      long ready = client.topic(topic).expect(200).json().path("ready").asLong();
      assertTrue(ready >= accepted.size(), () -> ready + " of " + accepted.size());
    }
  }
}
