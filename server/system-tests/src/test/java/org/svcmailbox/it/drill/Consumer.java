package org.svcmailbox.it.drill;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.Message;

/**
 * A client that receives and does everything with messages that clients do: acknowledges, refuses,
 * extends, forgets, and comes too late, sometimes after the server's death. One thread.
 */
final class Consumer implements Runnable {
  private static final List<Duration> VISIBILITIES =
      List.of(Duration.ofMillis(250), Duration.ofMillis(600), Duration.ofSeconds(3));

  private static final Duration LAST_VISIBILITY = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration LONGER = Duration.ofMillis(100);
  private static final int MOST_HELD = 30;

  private final RecordedClient client;
  private final Random random;
  private final Deque<Message> held = new ArrayDeque<>();
  private volatile boolean draining;
  private volatile boolean ending;

  Consumer(RecordedClient client, Random random) {
    this.client = client;
    this.random = random;
  }

  /** From now on it acknowledges whatever it gets. */
  void drain() {
    draining = true;
  }

  /** Lets {@link #run} return. */
  void end() {
    ending = true;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted() && !ending) {
      LoadTopic topic = LoadTopic.ALL.get(random.nextInt(LoadTopic.ALL.size()));
      List<Message> messages = receive(topic);
      if (messages.isEmpty()) {
        LockSupport.parkNanos((client.isAway() ? LONGER : PAUSE).toNanos());
      } else if (draining) {
        client.ackBatch(messages);
      } else if (topic.equals(LoadTopic.DEADLY)) {
        messages.forEach(this::handleRoughly);
      } else if (random.nextInt(3) == 0) {
        client.ackBatch(messages);
      } else {
        messages.forEach(this::handle);
      }
      settleOneThatWasHeld();
    }
  }

  private List<Message> receive(LoadTopic topic) {
    Duration visibility =
        draining ? LAST_VISIBILITY : VISIBILITIES.get(random.nextInt(VISIBILITIES.size()));
    return client.recv(
        topic, visibility, 1 + random.nextInt(20), Duration.ofMillis(random.nextInt(100)));
  }

  /** Refuses so much that some messages die. */
  private void handleRoughly(Message message) {
    if (random.nextBoolean()) {
      client.nack(message, refusal());
    } else {
      handle(message);
    }
  }

  private void handle(Message message) {
    int dice = random.nextInt(100);
    if (dice < 78) {
      client.ack(message);
    } else if (dice < 88) {
      client.nack(message, refusal());
    } else if (dice < 93) {
      client.extend(message, Duration.ofMillis(300 + random.nextInt(500)));
      client.ack(message);
    } else if (dice < 97) {
      hold(message);
    }
    // The others are forgotten, and come back when their lease is over.
  }

  private Fields refusal() {
    Fields reason = Fields.of("reason", "refused by the test");
    return random.nextBoolean() ? reason : reason.with("delay_ms", random.nextInt(200));
  }

  private void hold(Message message) {
    held.add(message);
    if (held.size() > MOST_HELD) {
      held.removeFirst();
    }
  }

  private void settleOneThatWasHeld() {
    if (!held.isEmpty() && !client.isAway() && random.nextInt(10) == 0) {
      client.ack(held.removeFirst());
    }
  }
}
