package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.TopicEnd;

/** Clients that send and receive until they are told to stop, each on its own thread. */
final class DrillLoad {
  /** How many messages of a shard may overtake one, after a failover too. */
  static final int MOST_REORDERED = 32;

  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 3;
  private static final Duration SLOWEST = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofMinutes(2);

  private final RecordedClient client;
  private final Random random;
  private final Supplier<String> label;
  private final List<Producer> producers = new ArrayList<>();
  private final List<Consumer> consumers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * @param random for the clients' choices
   * @param label says which run this is, when something goes wrong
   */
  DrillLoad(RecordedClient client, Random random, Supplier<String> label) {
    this.client = client;
    this.random = random;
    this.label = label;
  }

  /** Makes the topics and starts the clients. */
  void start(MailboxClient operator) throws IOException {
    makeTopics(operator);
    start();
  }

  static void makeTopics(MailboxClient operator) throws IOException {
    for (LoadTopic topic : LoadTopic.ALL) {
      operator.putTopic(topic.name(), topic.settings()).expect(201);
    }
  }

  /** Starts the clients. */
  void start() {
    for (int i = 0; i < PRODUCERS; i++) {
      Producer producer = new Producer("p" + i, client, new Random(random.nextLong()));
      producers.add(producer);
      start("producer-" + i, producer);
    }
    for (int i = 0; i < CONSUMERS; i++) {
      Consumer consumer = new Consumer(client, new Random(random.nextLong()));
      consumers.add(consumer);
      start("consumer-" + i, consumer);
    }
  }

  private void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    threads.add(thread);
    thread.start();
  }

  /** Lets them work for so long, and longer when a slow machine got little done in that time. */
  void work(Duration atLeast) {
    LockSupport.parkNanos(atLeast.toNanos());
    long enough = client.accepted() + 100 + random.nextInt(100);
    Deadline.in(SLOWEST).await(() -> client.accepted() >= enough, () -> "progress; " + label.get());
  }

  /** Lets the consumers work until the topics have so few messages. */
  void reduceTo(long most, MailboxClient operator) {
    producers.forEach(producer -> producer.hold(true));
    Deadline.in(SLOWEST)
        .await(() -> left(operator) <= most, () -> "fewer messages; " + label.get());
    producers.forEach(producer -> producer.hold(false));
  }

  /** Lets the producers get their last answers and the consumers empty the topics. */
  List<TopicEnd> drain(MailboxClient operator) throws InterruptedException {
    producers.forEach(Producer::end);
    consumers.forEach(Consumer::drain);
    Deadline deadline = Deadline.in(END);
    for (Thread producer : threads.subList(0, PRODUCERS)) {
      producer.join(deadline.left().toMillis() + 1);
      if (producer.isAlive()) {
        throw new AssertionError(producer + " has no answer yet; " + label.get());
      }
    }
    deadline.await(() -> left(operator) == 0, () -> "empty topics; " + label.get());
    consumers.forEach(Consumer::end);
    for (Thread consumer : threads) {
      consumer.join(deadline.left().toMillis() + 1);
    }
    return LoadTopic.ALL.stream().map(topic -> end(operator, topic)).toList();
  }

  private static long left(MailboxClient operator) throws IOException {
    long left = 0;
    for (LoadTopic topic : LoadTopic.ALL) {
      left += left(operator, topic.name());
    }
    return left;
  }

  /** How many messages there are in a topic, dead letters aside. */
  static long left(MailboxClient operator, String topic) throws IOException {
    JsonNode counts = operator.topic(topic).expect(200).json();
    return Stream.of("ready", "inflight", "delayed")
        .mapToLong(count -> counts.path(count).asLong(1))
        .sum();
  }

  private static TopicEnd end(MailboxClient operator, LoadTopic topic) {
    try {
      JsonNode counts = operator.topic(topic.name()).expect(200).json();
      return TopicEnd.drained(topic.name(), topic.maxAttempts(), counts.path("dlq").asLong(-1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fails if a message was lost, doubled, invented, altered or out of order, or a call got an
   * unexpected answer.
   */
  void assertNoViolation(History history, List<TopicEnd> ends) {
    assertNoViolation(new HistoryChecker(LoadTopic.WINDOW, MOST_REORDERED), history, ends);
  }

  /** The same for another judge. */
  void assertNoViolation(HistoryChecker checker, History history, List<TopicEnd> ends) {
    assertEquals(List.of(), client.surprises(), label);
    assertEquals(List.of(), client.altered(), label);
    assertEquals(List.of(), checker.check(history, ends), label);
  }

  /** Fails unless the ledgers of all topics are intact. */
  void assertIntactLedgers(MailboxClient operator) {
    for (LoadTopic topic : LoadTopic.ALL) {
      for (int shard = 0; shard < topic.shards(); shard++) {
        JsonNode verdict = operator.verify(topic.name(), shard);
        assertTrue(verdict.has("intact_up_to"), () -> topic + ": " + verdict + "; " + label.get());
      }
    }
  }

  /** Stops them, whatever they are doing. */
  void stop() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join(END.toMillis());
    }
  }
}
