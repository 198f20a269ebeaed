package org.svcmailbox.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Loads contestants, one at a time, each load on a queue of its own. */
final class Turn {
  private static final Duration LOOK = Duration.ofMillis(300);
  private static final double QUIET = 0.1;
  private static final int MOST_LOOKS = 20;
  private static final double MORE_THAN_ENOUGH = 1.3;
  private static final int FIRST_RATE = 1_000;
  private static final int FIRST_SENDERS = 8;
  private static final int COLD_BACKLOG = 20_000;

  /** The round in which nothing is reported. */
  static final int WARMING_UP = 0;

  private final int backlog;
  private final Map<String, Double> rates = new HashMap<>();
  private int queues;

  /**
   * @param backlog the most messages to be received
   */
  Turn(int backlog) {
    this.backlog = backlog;
  }

  /** Loads one of them and measures it. */
  Measured measure(Contestant contestant, Load load, int round, Duration lasting) throws Exception {
    String queue = LoadTarget.TOPICS + contestant.name() + "." + queues++;
    contestant.create(queue);
    if (load.work() == Work.RECV) {
      contestant.fill(queue, backlog(contestant, load, round, lasting));
    }
    awaitQuiet(contestant);
    Duration cpu = contestant.processes().cpu();
    Duration generator = generator();
    Outcome outcome = contestant.run(load, queue, lasting);
    Measured measured =
        new Measured(
            contestant.name(),
            load,
            round,
            outcome,
            seconds(contestant.processes().cpu().minus(cpu)),
            seconds(generator().minus(generator)),
            contestant.processes().mebibytes());
    rates.put(contestant.name() + load.key(), outcome.perSecond());
    contestant.delete(queue);
    awaitQuiet(contestant);
    return measured;
  }

  /** As many as it received the last time in as long, and some; a guess at first. */
  private int backlog(Contestant contestant, Load load, int round, Duration lasting) {
    double guess =
        (double) FIRST_RATE
            * Math.min(load.connections(), FIRST_SENDERS)
            * (load.batch() == 1 ? 1 : 3);
    double rate = rates.getOrDefault(contestant.name() + load.key(), guess);
    return (int)
        Math.min(
            round == WARMING_UP ? COLD_BACKLOG : backlog,
            rate * lasting.toSeconds() * MORE_THAN_ENOUGH);
  }

  /** What it still does for the last load is none of the next one. */
  private static void awaitQuiet(Contestant contestant) throws IOException {
    Duration before = contestant.processes().cpu();
    for (int i = 0; i < MOST_LOOKS; i++) {
      LockSupport.parkNanos(LOOK.toNanos());
      Duration after = contestant.processes().cpu();
      if (seconds(after.minus(before)) < QUIET * seconds(LOOK)) {
        return;
      }
      before = after;
    }
  }

  private static Duration generator() throws IOException {
    return CpuClock.own().plus(CpuClock.endedChildren());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
