package org.svcmailbox.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.load.Load;

/** All measurements of a comparison. */
public final class Comparison {
  private final List<Entrant> entrants;
  private final List<Measurement> all = new ArrayList<>();
  private final Map<String, Long> heaps = new LinkedHashMap<>();

  /** The description of a contestant in tables. */
  public record Entrant(String name, String title, String durability) {}

  public Comparison(List<Entrant> entrants) {
    this.entrants = List.copyOf(entrants);
  }

  public void add(Measurement measured) {
    all.add(measured);
  }

  /** Records the heap in use after a collection at the end of the run. */
  public void addHeap(String contestant, long mebibytes) {
    heaps.put(contestant, mebibytes);
  }

  List<Entrant> entrants() {
    return entrants;
  }

  public List<Measurement> all() {
    return List.copyOf(all);
  }

  Map<String, Long> heaps() {
    return heaps;
  }

  /** Loads measured with at least one contestant, in order. */
  List<Load> loads() {
    return all.stream().map(Measurement::load).distinct().toList();
  }

  /** Median over the rounds; empty if the load was not measured. */
  OptionalDouble median(String contestant, Load load, ToDoubleFunction<Measurement> figure) {
    List<Double> values =
        all.stream()
            .filter(one -> one.contestant().equals(contestant) && one.load().equals(load))
            .map(figure::applyAsDouble)
            .toList();
    return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(values));
  }

  OptionalDouble rate(String contestant, Load load) {
    return median(contestant, load, one -> one.outcome().perSecond());
  }
}
