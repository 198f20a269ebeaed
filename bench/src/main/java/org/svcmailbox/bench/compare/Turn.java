package org.svcmailbox.bench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.contestant.Contestant;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.machine.CpuClock;
import org.svcmailbox.bench.report.Measurement;

/** Measures loads on contestants, one at a time, each on a queue of its own. */
final class Turn {
  private static final Duration POLL = Duration.ofMillis(300);
  private static final double QUIET = 0.1;
  private static final int MOST_POLLS = 20;
  private static final double MORE_THAN_ENOUGH = 1.3;
  private static final int FIRST_RATE = 2_000;
  private static final int FIRST_SENDERS = 8;
  private static final int COLD_BACKLOG = 20_000;

  /** The round of the warm-up, which is not reported. */
  static final int WARMING_UP = 0;

  private final int backlog;
  private final Map<String, Double> rates = new HashMap<>();
  private int queues;

  /**
   * @param backlog most messages to receive in a load
   */
  Turn(int backlog) {
    this.backlog = backlog;
  }

  /** Measures one load. */
  Measurement measure(Contestant contestant, Load load, int round, Duration lasting)
      throws Exception {
    String queue = LoadTarget.TOPICS + contestant.name() + "." + queues++;
    contestant.create(queue);
    if (load.work() == Work.RECV) {
      contestant.fill(queue, backlog(contestant, load, round, lasting));
    }
    awaitQuiet(contestant);
    Duration cpu = contestant.processes().cpu();
    Duration generator = generator();
    Outcome outcome = contestant.run(load, queue, lasting);
    Measurement measured =
        new Measurement(
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

  /** As many messages as the last such load received, plus a margin; at first an estimate. */
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

  /** Waits until the contestant no longer works for an earlier load. */
  private static void awaitQuiet(Contestant contestant) throws IOException {
    Duration before = contestant.processes().cpu();
    for (int i = 0; i < MOST_POLLS; i++) {
      LockSupport.parkNanos(POLL.toNanos());
      Duration after = contestant.processes().cpu();
      if (seconds(after.minus(before)) < QUIET * seconds(POLL)) {
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
