package org.svcmailbox.bench.options;

import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Progress;

/** Repeats a measurement: whole rounds as warm-up, then the rounds that count. */
public record Rounds(Options options) {
  /** One round. */
  public interface Round {
    void into(Figures figures) throws Exception;
  }

  /** Warms up with at least one round. */
  public void run(String what, Figures figures, Round round) throws Exception {
    Progress.say(what + ": warming up for " + options.warmUp().toSeconds() + " s");
    long end = System.nanoTime() + options.warmUp().toNanos();
    do {
      round.into(new Figures());
    } while (System.nanoTime() - end < 0);
    for (int number = 1; number <= options.rounds(); number++) {
      Progress.round(number, options.rounds());
      round.into(figures);
    }
  }
}
