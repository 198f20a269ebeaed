package org.svcmailbox.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measured values by name, one for each round. */
public final class Figures {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  public void add(String name, double value) {
    values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  /**
   * The median over all rounds.
   *
   * @throws IllegalArgumentException if the figure was not measured
   */
  public double median(String name) {
    List<Double> all = values.get(name);
    if (all == null) {
      throw new IllegalArgumentException(name + " was not measured");
    }
    return Samples.median(all);
  }

  /** The values of all rounds; empty if the figure was not measured. */
  public List<Double> of(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  /** All values in the order of measurement. */
  public Map<String, List<Double>> all() {
    return values;
  }
}
