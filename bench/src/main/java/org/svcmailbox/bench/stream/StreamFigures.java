package org.svcmailbox.bench.stream;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.figure.Figures;

/** Names of the figures of a variant. */
final class StreamFigures {
  private StreamFigures() {}

  /** Messages a second. */
  static String rate(String key) {
    return key + ".per_second";
  }

  /** Microseconds of the server's CPU a message. */
  static String cpu(String key) {
    return key + ".cpu_us";
  }

  /** Microseconds of the generator's CPU a message. */
  static String own(String key) {
    return key + ".own_us";
  }

  /** A percentile in milliseconds. */
  static String millis(String key, int percent) {
    return key + ".p" + percent + "_ms";
  }

  /** KiB of heap for each. */
  static String kib(String key) {
    return key + ".kib";
  }

  /** The ratios of two figures, by rounds. */
  static List<Double> ratios(Figures figures, String one, String other) {
    List<Double> ones = figures.of(one);
    List<Double> others = figures.of(other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
      ratios.add(ones.get(i) / others.get(i));
    }
    return ratios;
  }
}
