package org.svcmailbox.it.drill;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.test.history.CallOutcome;

/**
 * A client that sends, and sends again what was not answered, as every client should. Now and then
 * it repeats what was answered. One thread.
 */
final class Producer implements Runnable {
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration LONGER = Duration.ofMillis(20);
  private static final Duration LONGEST = Duration.ofMillis(100);
  private static final int MOST_REMEMBERED = 50;

  private final String name;
  private final RecordedClient client;
  private final Random random;
  private final Deque<Letter> unanswered = new ArrayDeque<>();
  private final Deque<Letter> answered = new ArrayDeque<>();
  private volatile boolean ending;
  private volatile boolean holding;
  private long number;

  Producer(String name, RecordedClient client, Random random) {
    this.name = name;
    this.client = client;
    this.random = random;
  }

  /** Lets {@link #run} return as soon as everything that was sent has been answered. */
  void end() {
    ending = true;
  }

  /** Whether it sends nothing new for now. */
  void hold(boolean hold) {
    holding = hold;
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted() && !(ending && unanswered.isEmpty())) {
      boolean accepted = step();
      Duration pause = client.isAway() ? LONGEST : accepted ? PAUSE : LONGER;
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  private boolean step() {
    Letter open = unanswered.poll();
    if (open != null) {
      return send(open);
    }
    if (holding) {
      return false;
    }
    int dice = random.nextInt(100);
    if (dice < 5 && !answered.isEmpty()) {
      return send(answered.getFirst());
    }
    return dice < 20 ? sendBatch() : send(letter());
  }

  private boolean send(Letter letter) {
    if (client.send(letter) == CallOutcome.OK) {
      remember(letter);
      return true;
    }
    unanswered.add(letter);
    return false;
  }

  private boolean sendBatch() {
    List<Letter> letters = new ArrayList<>();
    for (int i = 2 + random.nextInt(9); i > 0; i--) {
      letters.add(letter());
    }
    List<Letter> open = client.sendBatch(letters);
    unanswered.addAll(open);
    return open.isEmpty();
  }

  private Letter letter() {
    LoadTopic topic = LoadTopic.ALL.get(random.nextInt(LoadTopic.ALL.size()));
    return Letter.random(topic, name + "-" + number++, random);
  }

  private void remember(Letter letter) {
    answered.add(letter);
    if (answered.size() > MOST_REMEMBERED) {
      answered.removeFirst();
    }
  }
}
