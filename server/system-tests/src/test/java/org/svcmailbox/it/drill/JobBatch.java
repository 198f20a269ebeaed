package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Dead letters and jobs over them that run through some kills of the server. One redrives letters
 * in place, one discards letters of the same topic, one redrives those of another topic to a third.
 * Afterwards each letter is where it belongs, once, and the jobs have counted right.
 */
final class JobBatch {
  private static final int RATE = 40;

  /** For four seconds, which is about as long as the server runs between two kills. */
  private static final int LETTERS_A_KILL = 4 * RATE;

  private static final int STAYING = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The index is compared with the queues every ten seconds. */
  private static final Duration INDEXED = Duration.ofSeconds(40);

  private static final List<String> OVER = List.of("done", "failed", "cancelled");

  private final MailboxClient client;
  private final int letters;
  private final Supplier<String> label;
  private final DeadTopic orders;
  private final DeadTopic sources;
  private final DeadTopic target;
  private final String back;
  private final String gone;
  private final String moving;

  /** The ids of all messages that there ever were; whole when everything has been looked at. */
  private final Set<String> msgIds = new HashSet<>();

  /**
   * Makes the letters and starts the jobs.
   *
   * @param number of this batch, for its topics
   * @param kills for how many of them the jobs are to be under way
   * @param label says which run this is, when something goes wrong
   */
  JobBatch(MailboxClient client, int number, int kills, Supplier<String> label) throws IOException {
    this.client = client;
    this.letters = kills * LETTERS_A_KILL;
    this.label = label;
    orders = DeadTopic.make(client, "orders-" + number);
    orders.deadLetter("back", letters);
    orders.deadLetter("gone", letters);
    orders.deadLetter("staying", STAYING);
    sources = DeadTopic.make(client, "sources-" + number);
    sources.deadLetter("moving", letters);
    target = DeadTopic.make(client, "target-" + number);
    msgIds.addAll(orders.keys().keySet());
    msgIds.addAll(sources.keys().keySet());

    Fields reprocess = Fields.of("action", "reprocess").with("rate_per_s", RATE);
    Fields discard = Fields.of("action", "discard").with("rate_per_s", RATE);
    back = orders.start("back", reprocess);
    gone = orders.start("gone", discard);
    moving = sources.start("moving", reprocess.with("to_topic", target.name()));
  }

  /** Each of them is under way now. */
  void assertRunning() throws IOException {
    for (String job : jobs()) {
      assertEquals("running", job(job).path("state").asText(), "too late; " + label.get());
    }
  }

  /** Whether each of them has letters left for the time until the server is killed once more. */
  boolean outlastsAnotherKill() throws IOException {
    for (String path : jobs()) {
      JsonNode job = job(path);
      if (job.path("total").asInt() - job.path("done").asInt() < LETTERS_A_KILL) {
        return false;
      }
    }
    return true;
  }

  /** Waits until the jobs are over. */
  void awaitEnd(TestReporter reporter) {
    for (String job : jobs()) {
      Deadline.in(PATIENCE)
          .await(() -> OVER.contains(job(job).path("state").asText()), () -> text(job));
      reporter.publishEntry("job", label.get() + " " + text(job));
    }
  }

  /** Receives and acknowledges all redriven messages. */
  void assertEveryLetterIsWhereItBelongs() throws IOException {
    assertRedriven();
    assertSentAnew();
    assertCounted(gone);
    assertListed(orders, idsOf(orders, "staying"));
    assertListed(sources, Set.of());
    assertListed(target, Set.of());
  }

  /** Waits for the next check of the index, which may lag after a kill. */
  private void assertListed(DeadTopic topic, Set<String> expected) throws IOException {
    Deadline.in(INDEXED)
        .await(
            () -> Set.copyOf(topic.letters()).equals(expected),
            () -> expected.size() + " letters of " + topic.name() + "; " + label.get());
    assertEquals(expected.size(), topic.letters().size(), label);
  }

  /** The ids of all messages that there ever were, once everything has been looked at. */
  Set<String> msgIds() {
    return Set.copyOf(msgIds);
  }

  private List<String> jobs() {
    return List.of(back, gone, moving);
  }

  private void assertRedriven() throws IOException {
    List<Message> received = orders.drain();
    assertEquals(idsOf(orders, "back"), new TreeSet<>(ids(received)), label);
    assertEquals(letters, received.size(), () -> "each once; " + label.get());
    for (Message message : received) {
      assertEquals(orders.keys().get(message.msgId()), message.idemKey());
      assertEquals(1, message.attempt());
      assertWhole(message);
    }
    assertCounted(back);
  }

  private void assertSentAnew() throws IOException {
    assertEquals(List.of(), sources.drain(), label);
    List<Message> moved = target.drain();
    Set<String> keys = moved.stream().map(Message::idemKey).collect(Collectors.toSet());
    assertEquals(Set.copyOf(sources.keys().values()), keys, label);
    assertEquals(letters, moved.size(), () -> "each once; " + label.get());
    Set<String> ids = new TreeSet<>(ids(moved));
    assertEquals(letters, ids.size(), label);
    msgIds.addAll(ids);
    ids.retainAll(sources.keys().keySet());
    assertEquals(Set.of(), ids, () -> "new messages have new ids; " + label.get());
    for (Message message : moved) {
      assertEquals("moving", message.json().path("attrs").path("kind").asText());
      assertWhole(message);
    }
    assertCounted(moving);
  }

  private void assertWhole(Message message) {
    assertTrue(message.isIntact(), () -> message.json() + "; " + label.get());
    assertArrayEquals(DeadTopic.payload(message.idemKey()), message.payload());
  }

  private void assertCounted(String path) throws IOException {
    JsonNode job = job(path);
    Supplier<String> counts = () -> job + "; " + label.get();
    assertEquals("done", job.path("state").asText(), counts);
    assertEquals(letters, job.path("total").asInt(), counts);
    assertEquals(letters, job.path("done").asInt(), counts);
    assertEquals(0, job.path("failed").asInt(-1), counts);
    assertEquals(0, job.path("gone").asInt(-1), counts);
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
}
