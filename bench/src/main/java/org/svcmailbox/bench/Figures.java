package org.svcmailbox.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured, by name, once per round. */
final class Figures {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  void add(String name, double value) {
    values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  /** The median of a figure over all rounds. */
  double median(String name) {
    List<Double> all = values.get(name);
    if (all == null) {
      throw new IllegalArgumentException(name + " was not measured");
    }
    return Samples.median(all);
  }

  /** The values of a figure; none when it was not measured. */
  List<Double> of(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  /** Every value of every figure, in the order of measurement. */
  Map<String, List<Double>> all() {
    return values;
  }
}
