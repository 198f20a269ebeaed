package org.svcmailbox.bench;

import java.util.List;
import org.svcmailbox.bench.PublishRates.Mark;

/** Publishes ten times the backlog, and takes the rates of the first and the last tenth. */
record LongDrain(Options options, Figures figures) {
  private static final int TENTHS = 10;

  /**
   * Runs it.
   *
   * @param key the prefix of its figures
   * @param middle what is done half-way, in no time that counts
   * @return the last rate to the first
   */
  double run(String key, PublisherDrain drain, Runnable middle) throws Exception {
    int tenth = options.backlog();
    Bench.say(key + ": " + TENTHS * tenth + " events");
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

  /** Nothing half-way. */
  static void goOn() {}
}
