package org.svcmailbox.it.outage;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.EventStream;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Clients that send until nobody answers any more, one that waits, one that looks on, and one that
 * settles.
 */
final class StopUnderLoad implements Scenario {
  private static final byte[] PAYLOAD = new byte[100];
  private static final int SENDERS = 4;

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("stopping");
  private final Queue<MailboxAnswer> refusals = new ConcurrentLinkedQueue<>();
  private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
  private final CountDownLatch underLoad = new CountDownLatch(200);
  private final CountDownLatch refused = new CountDownLatch(1);
  private @Nullable Message last;
  private List<Integer> mayAnswer = List.of();

  StopUnderLoad(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @Override
  public String name() {
    return "new work is refused, old work finished, and nothing is lost";
  }

  @Override
  public void before() throws IOException {
    client.send(topic, "held", PAYLOAD).expect(200);
  }

  /** Has the server stop while they are at it. */
  void stop() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SENDERS + 2);
    try (EventStream stream = EventStream.open(server.target(), "?every_ms=60000")) {
      assertTrue(stream.next() != null);
      stop(threads);
      stream.toItsEnd();
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  private void stop(ExecutorService threads) throws Exception {
    Fields one = Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    Message held = client.recv(one).message();
    Fields nothing = Fields.of("topic", TestTopics.fresh("empty")).with("wait_ms", 30_000);
    Future<MailboxAnswer> waiter = threads.submit(() -> client.recv(nothing));
    for (int i = 0; i < SENDERS; i++) {
      String sender = "s" + i;
      threads.execute(() -> sendUntilGone(sender));
    }
    assertTrue(underLoad.await(60, TimeUnit.SECONDS), "no load came about");
    Future<Integer> exit = threads.submit(server::terminate);
    assertTrue(refused.await(30, TimeUnit.SECONDS), "nobody was told that the server stops");
    acknowledge(held);
    assertEquals(0, exit.get(90, TimeUnit.SECONDS), "exit code");
    assertTrue(List.of(200, 503).contains(waiter.get(30, TimeUnit.SECONDS).status()));
  }

  /** A holder has a moment to settle, and else the next start keeps its lease. */
  private void acknowledge(Message held) {
    try {
      int status = client.ack(held).status();
      assertTrue(status == 200 || status == 503, () -> "ACK: " + status);
      mayAnswer = List.of(status == 200 ? 404 : 200);
    } catch (IOException e) {
      // The server was faster, perhaps only than its answer.
      mayAnswer = List.of(200, 404);
    }
    last = held;
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

  @Override
  public void after() throws IOException {
    assertOnlyRefused();
    int again = client.ack(requireNonNull(last)).status();
    assertTrue(mayAnswer.contains(again), () -> "ACK after the restart: " + again);
    for (String key : accepted) {
      assertTrue(client.send(topic, key, PAYLOAD).expect(200).duplicate(), key);
    }
    long ready = client.topic(topic).expect(200).json().path("ready").asLong();
    assertTrue(ready >= accepted.size(), () -> ready + " of " + accepted.size());
  }

  /** Ours says when to come back; the bare server below it, which ends last, says 503 or 404. */
  private void assertOnlyRefused() {
    List<MailboxAnswer> ours =
        refusals.stream().filter(answer -> !answer.code().isEmpty()).toList();
    assertFalse(ours.isEmpty());
    for (MailboxAnswer answer : ours) {
      assertEquals(503, answer.status());
      assertEquals("E_UNAVAILABLE", answer.code());
      assertTrue(answer.header("retry-after").isPresent(), answer::text);
    }
  }
}
