package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * More messages wait in many topics than the heap could hold, and then half of them die. The server
 * lives, also after a kill, and lacks none.
 */
@Tag("nightly")
class BacklogSoakIT {
  private static final int TOPICS = 16;
  private static final int BATCH = 100;
  private static final byte[] PAYLOAD = new byte[3];
  private static final Duration SOON = Duration.ofMinutes(2);

  private final int each = Integer.getInteger("backlog.soak.messages", 1_600_000) / TOPICS;
  private final MailboxServer server =
      MailboxServer.start("backlog-soak", Map.of("MAILBOX_SHARD_CAPACITY", "1000000"));
  private final MailboxClient client = new MailboxClient(server.target());
  private final ExecutorService threads = Executors.newFixedThreadPool(TOPICS);

  private interface Work {
    void on(String topic) throws IOException;
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    server.close();
  }

  @Test
  void aBacklogOfMessagesAndDeadLettersLeavesRoomInTheHeap() throws Exception {
    onTopics(0, TOPICS, this::fill);
    awaitCounts("ready", 0, TOPICS);
    onTopics(0, TOPICS / 2, this::reject);
    awaitAll();

    server.kill9();
    server.restart();

    awaitAll();
    client.send(topic(0), "one-more", PAYLOAD).expect(200);
    assertTrue(server.isAlive());
  }

  private static String topic(int number) {
    return "backlog-" + number;
  }

  private void onTopics(int from, int to, Work work) throws Exception {
    List<Future<Void>> running =
        IntStream.range(from, to)
            .mapToObj(
                number ->
                    threads.submit(
                        () -> {
                          work.on(topic(number));
                          return (Void) null;
                        }))
            .toList();
    for (Future<Void> one : running) {
      one.get();
    }
  }

  private void fill(String topic) throws IOException {
    for (int sent = 0; sent < each; sent += BATCH) {
      int first = sent;
      List<Fields> messages =
          IntStream.range(first, first + BATCH)
              .mapToObj(i -> Fields.send(topic, "key-" + i, PAYLOAD))
              .toList();
      assertNoErrors(client.sendBatch(messages).expect(200).json().toString());
    }
  }

  private void reject(String topic) throws IOException {
    Fields some =
        Fields.of("topic", topic)
            .with("max_messages", BATCH)
            .with("wait_ms", 5_000)
            .with("visibility_ms", 600_000);
    for (int dead = 0; dead < each; ) {
      List<Message> messages = client.recv(some).expect(200).messages();
      List<Fields> nacks = messages.stream().map(BacklogSoakIT::rejection).toList();
      assertNoErrors(
          client.post("/v1/nack/batch", Fields.of("nacks", nacks)).expect(200).json().toString());
      dead += messages.size();
    }
  }

  private static Fields rejection(Message message) {
    return Fields.of("msg_id", message.msgId())
        .with("receipt", message.receipt())
        .with("reason", "no such customer")
        .with("dead_letter", true);
  }

  private static void assertNoErrors(String answer) {
    assertEquals(-1, answer.indexOf("\"error\""), answer);
  }

  private void awaitAll() throws Exception {
    awaitCounts("dlq", 0, TOPICS / 2);
    awaitCounts("ready", TOPICS / 2, TOPICS);
  }

  private void awaitCounts(String count, int from, int to) throws Exception {
    onTopics(
        from,
        to,
        topic ->
            Deadline.in(SOON)
                .await(
                    () -> count(topic, count) == each, () -> topic + ": " + count(topic, count)));
  }

  private long count(String topic, String count) {
    try {
      return client.topic(topic).expect(200).json().path(count).asLong(-1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
