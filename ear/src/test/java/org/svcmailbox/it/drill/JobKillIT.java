package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Jobs over dead letters are under way while the server is killed with SIGKILL and started again,
 * {@code job.kill.rounds} times: one brings letters back, one discards others of the same topic,
 * one sends those of another topic anew to a third. Afterwards each letter is where it belongs,
 * once, and the jobs have counted right. {@code job.kill.seed} repeats the moments of the kills.
 */
class JobKillIT {
  private static final int RATE = 100;
  private static final int LETTERS_A_ROUND = 400;
  private static final int STAYING = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> OVER = List.of("done", "failed", "cancelled");

  private final int rounds = Integer.getInteger("job.kill.rounds", 3);
  private final long seed = Long.getLong("job.kill.seed", System.nanoTime());
  private final int letters = rounds * LETTERS_A_ROUND;
  private final Random random = new Random(seed);
  private final MailboxServer server = MailboxServer.start("jobkill", Map.of());
  private final MailboxClient client = new MailboxClient(server.target());

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void everyLetterIsWhereItBelongsOnceAndIsCountedOnce(TestReporter reporter) throws Exception {
    DeadTopic orders = DeadTopic.make(client, "orders");
    orders.bury("back", letters);
    orders.bury("gone", letters);
    orders.bury("staying", STAYING);
    DeadTopic sources = DeadTopic.make(client, "sources");
    sources.bury("moving", letters);
    DeadTopic target = DeadTopic.make(client, "target");

    Fields reprocess = Fields.of("action", "reprocess").with("rate_per_s", RATE);
    Fields discard = Fields.of("action", "discard").with("rate_per_s", RATE);
    String back = orders.start("back", reprocess);
    String gone = orders.start("gone", discard);
    String moving = sources.start("moving", reprocess.with("to_topic", target.name()));
    List<String> jobs = List.of(back, gone, moving);
    for (int round = 0; round < rounds; round++) {
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(700)).toNanos());
      for (String job : jobs) {
        assertEquals("running", job(job).path("state").asText(), "too late; " + label());
      }
      server.kill9();
      if (random.nextInt(3) == 0) {
        killWhileStarting();
      }
      server.restart();
    }
    for (String job : jobs) {
      Deadline.in(PATIENCE)
          .await(() -> OVER.contains(job(job).path("state").asText()), () -> text(job));
      reporter.publishEntry("job", label() + " " + text(job));
    }
    assertBroughtBack(orders, back);
    assertSentAnew(sources, target, moving);
    assertCounted(gone);
    assertEquals(
        idsOf(orders, "staying"), new TreeSet<>(orders.letters()), "what stays; " + label());
    assertEquals(STAYING, orders.letters().size(), label());
    assertEquals(List.of(), sources.letters(), label());
    assertEquals(List.of(), target.letters(), label());
    assertEquals(0, server.terminate(), "exit code");
    assertLedgersAreIntact(orders, sources);
  }

  /** What a start has to settle may be cut short too, at any moment of it. */
  private void killWhileStarting() {
    server.launch();
    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(12_000)).toNanos());
    server.kill9();
  }

  private void assertBroughtBack(DeadTopic orders, String job) throws IOException {
    List<Message> back = orders.drain();
    assertEquals(idsOf(orders, "back"), new TreeSet<>(ids(back)), label());
    assertEquals(letters, back.size(), "each once; " + label());
    for (Message message : back) {
      assertEquals(orders.keys().get(message.msgId()), message.idemKey());
      assertEquals(1, message.attempt());
      assertWhole(message);
    }
    assertCounted(job);
  }

  private void assertSentAnew(DeadTopic sources, DeadTopic target, String job) throws IOException {
    assertEquals(List.of(), sources.drain(), label());
    List<Message> moved = target.drain();
    Set<String> keys = moved.stream().map(Message::idemKey).collect(Collectors.toSet());
    assertEquals(Set.copyOf(sources.keys().values()), keys, label());
    assertEquals(letters, moved.size(), "each once; " + label());
    Set<String> ids = new TreeSet<>(ids(moved));
    assertEquals(letters, ids.size(), label());
    ids.retainAll(sources.keys().keySet());
    assertEquals(Set.of(), ids, "new messages have new ids; " + label());
    for (Message message : moved) {
      assertEquals("moving", message.json().path("attrs").path("kind").asText());
      assertWhole(message);
    }
    assertCounted(job);
  }

  private void assertWhole(Message message) {
    assertTrue(message.isIntact(), () -> message.json() + "; " + label());
    assertArrayEquals(DeadTopic.payload(message.idemKey()), message.payload());
  }

  private void assertCounted(String path) throws IOException {
    JsonNode job = job(path);
    assertEquals("done", job.path("state").asText(), () -> job + "; " + label());
    assertEquals(letters, job.path("total").asInt(), () -> job + "; " + label());
    assertEquals(letters, job.path("done").asInt(), () -> job + "; " + label());
    assertEquals(0, job.path("failed").asInt(-1), () -> job + "; " + label());
    assertEquals(0, job.path("gone").asInt(-1), () -> job + "; " + label());
  }

  private void assertLedgersAreIntact(DeadTopic orders, DeadTopic sources) throws Exception {
    Ledgers ledgers = Ledgers.read(server.data());
    ledgers
        .verdicts()
        .forEach(
            (shard, verdict) ->
                assertTrue(verdict instanceof LedgerVerdict.Intact, shard + ": " + verdict));
    int sent = orders.keys().size() + 2 * sources.keys().size();
    assertEquals(sent, ledgers.size(), "one entry for each message; " + label());
    assertEquals(sent, ledgers.msgIds().size(), label());
  }

  private static Set<String> idsOf(DeadTopic topic, String kind) {
    return topic.keys().entrySet().stream()
        .filter(letter -> letter.getValue().startsWith(kind + "-"))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> ids(List<Message> messages) {
    return messages.stream().map(Message::msgId).toList();
  }

  private JsonNode job(String path) throws IOException {
    return client.get(path).expect(200).json();
  }

  private String text(String path) {
    try {
      return job(path).toString();
    } catch (IOException e) {
      return path + ": " + e;
    }
  }

  private String label() {
    return "job.kill.seed=" + seed;
  }
}
