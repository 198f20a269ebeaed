package org.svcmailbox.bench.outbox;

import java.util.List;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.outbox.PublishRates.Mark;

/** Publishes ten times the backlog and compares the rates of the first and the last tenth. */
record LongDrain(Options options, Figures figures) {
  private static final int TENTHS = 10;

  /**
   * Runs the drain and returns the ratio of the last rate to the first.
   *
   * @param key prefix of the figures
   * @param middle action at half-time, whose time does not count
   */
  double run(String key, PublisherDrain drain, Runnable middle) throws Exception {
    int tenth = options.backlog();
    Progress.say(key + ": " + TENTHS * tenth + " events");
    drain.fill(TENTHS * tenth);
    List<Double> rates =
        drain.drain(
            TENTHS * tenth,
            List.of(
                new Mark(tenth, LongDrain::goOn),
                new Mark(TENTHS / 2 * tenth, middle),
                new Mark((TENTHS - 1) * tenth, LongDrain::goOn)));
    double first = rates.get(0);
    double last = rates.get(rates.size() - 1);
    figures.add(key + ".first", first);
    figures.add(key + ".last", last);
    figures.add(key + ".ratio", last / first);
    return last / first;
  }

  /** No action at half-time. */
  static void goOn() {}
}
