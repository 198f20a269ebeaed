package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Answer;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.Deadline;
import org.svcmailbox.it.server.MailboxServer;

/** What outlives the server's process, and how the process ends. */
class RestartIT {
  private final MailboxServer server = MailboxServer.start("restart", Map.of());
  private final MailboxClient client = new MailboxClient(server.uri());

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void aKilledServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    survives(server::kill9);
  }

  @Test
  void aStoppedServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    survives(() -> assertEquals(0, server.terminate(), "exit code"));
  }

  private void survives(Runnable end) throws IOException {
    client.putTopic("t", Fields.of("ready_shards", 1).with("max_attempts", 9)).expect(201);
    for (String key : List.of("acked", "refused", "leased", "ready")) {
      client.send("t", key, new byte[1]).expect(200);
    }
    Fields later = Fields.send("t", "later", new byte[1]).with("delay_ms", 3_000);
    client.send(later).expect(200);
    Fields three = Fields.of("topic", "t").with("max_messages", 3).with("visibility_ms", 60_000);
    List<Message> received = client.recv(three).expect(200).messages();
    client.ack(received.get(0)).expect(200);
    client.nack(received.get(1), Fields.of("delay_ms", 0)).expect(200);

    end.run();
    server.restart();

    assertEquals(9, client.topic("t").expect(200).json().path("max_attempts").asInt());
    Map<String, Integer> attempts =
        receiveAll(4).stream().collect(Collectors.toMap(Message::idemKey, Message::attempt));
    assertEquals(Map.of("refused", 2, "leased", 1, "ready", 1, "later", 1), attempts);
    for (String key : List.of("acked", "refused", "leased", "ready", "later")) {
      assertTrue(client.send("t", key, new byte[1]).expect(200).duplicate(), key);
    }
  }

  private List<Message> receiveAll(int number) throws IOException {
    Queue<Message> all = new ConcurrentLinkedQueue<>();
    Fields request = Fields.of("topic", "t").with("max_messages", 100).with("wait_ms", 200);
    Deadline.in(Duration.ofSeconds(20))
        .await(
            () -> {
              all.addAll(client.recv(request.with("visibility_ms", 60_000)).expect(200).messages());
              return all.size() >= number;
            },
            () -> number + " messages instead of " + all);
    return List.copyOf(all);
  }

  @Test
  void theReplayWindowGoesOnAcrossARestartAndEnds() throws IOException {
    Duration window = Duration.ofSeconds(25);
    client.putTopic("t", Fields.of("t_replay", window.toSeconds() + "s")).expect(201);
    long before = System.nanoTime();
    String first = client.send("t", "key", new byte[1]).expect(200).msgId();

    server.kill9();
    server.restart();

    Answer again = client.send("t", "key", new byte[1]).expect(200);
    assertTrue(System.nanoTime() - before < window.toNanos(), "the restart took too long to tell");
    assertTrue(again.duplicate());
    assertEquals(first, again.msgId());
    Deadline end = Deadline.in(window.plusSeconds(10));
    end.await(
        () -> !client.send("t", "key", new byte[1]).expect(200).duplicate(),
        () -> "the end of the window");
    assertTrue(System.nanoTime() - before >= window.toNanos(), "the window was too short");
  }

  @Test
  void aServerThatIsToldToStopRefusesNewWorkAndLosesNothing() throws Exception {
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    Queue<String> accepted = new ConcurrentLinkedQueue<>();
    CountDownLatch underLoad = new CountDownLatch(200);
    ExecutorService threads = Executors.newFixedThreadPool(5);
    try {
      Future<Answer> waiter =
          threads.submit(() -> client.recv(Fields.of("topic", "empty").with("wait_ms", 30_000)));
      for (int i = 0; i < 4; i++) {
        String sender = "s" + i;
        threads.execute(() -> sendUntilGone(sender, answers, accepted, underLoad));
      }
      assertTrue(underLoad.await(30, TimeUnit.SECONDS));
      long before = System.nanoTime();
      assertEquals(0, server.terminate(), "exit code");
      Duration took = Duration.ofNanos(System.nanoTime() - before);
      assertTrue(took.toSeconds() < 20, took::toString);
      assertTrue(List.of(200, 503).contains(waiter.get(5, TimeUnit.SECONDS).status()));
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    }
    assertOnlyRefusedWithRetryAfter(answers);
    server.restart();
    assertAllThere(accepted);
  }

  private void sendUntilGone(
      String sender, Queue<Answer> answers, Queue<String> accepted, CountDownLatch underLoad) {
    try {
      for (int i = 0; ; i++) {
        String key = sender + "-" + i;
        Answer answer = client.send("t", key, new byte[100]);
        if (answer.status() == 200) {
          accepted.add(key);
          underLoad.countDown();
        } else {
          answers.add(answer);
        }
      }
    } catch (IOException e) {
      // The process is gone; what it had not answered may be there or not.
    }
  }

  private static void assertOnlyRefusedWithRetryAfter(Queue<Answer> answers) {
    assertFalse(answers.isEmpty(), "nobody was told that the server is stopping");
    for (Answer answer : answers) {
      assertEquals(503, answer.status(), answer::text);
      assertEquals("E_UNAVAILABLE", answer.code());
      assertNotEquals("none", answer.header("retry-after").orElse("none"), answer::text);
    }
  }

  private void assertAllThere(Queue<String> accepted) throws IOException {
    for (String key : accepted) {
      assertTrue(client.send("t", key, new byte[100]).expect(200).duplicate(), key);
    }
    long ready = client.topic("t").expect(200).json().path("ready").asLong();
    assertTrue(ready >= accepted.size(), () -> ready + " of " + accepted.size());
  }
}
