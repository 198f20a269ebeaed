package org.svcmailbox.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Everything that was measured of all contestants. */
final class Comparison {
  private final List<Entrant> entrants;
  private final List<Measured> all = new ArrayList<>();
  private final Map<String, Long> heaps = new LinkedHashMap<>();

  /** What there is to say of a contestant, whatever it does. */
  record Entrant(String name, String title, String durability) {}

  Comparison(List<Entrant> entrants) {
    this.entrants = List.copyOf(entrants);
  }

  void add(Measured measured) {
    all.add(measured);
  }

  /** Notes the MiB that were in use after a collection, when all was done. */
  void addHeap(String contestant, long mebibytes) {
    heaps.put(contestant, mebibytes);
  }

  List<Entrant> entrants() {
    return entrants;
  }

  List<Measured> all() {
    return List.copyOf(all);
  }

  Map<String, Long> heaps() {
    return heaps;
  }

  /** The loads that at least one contestant had, in their order. */
  List<Load> loads() {
    return all.stream().map(Measured::load).distinct().toList();
  }

  /** The median of a figure over the rounds; nothing if it was not measured. */
  OptionalDouble median(String contestant, Load load, ToDoubleFunction<Measured> figure) {
    List<Double> values =
        all.stream()
            .filter(one -> one.contestant().equals(contestant) && one.load().equals(load))
            .map(figure::applyAsDouble)
            .toList();
    return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(values));
  }

  /** Messages a second. */
  OptionalDouble rate(String contestant, Load load) {
    return median(contestant, load, one -> one.outcome().perSecond());
  }
}
