package org.svcmailbox.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What of a comparison is wanted. Where neither connections nor batches were chosen, not every pair
 * of them is measured: batches with {@link #USUAL} connections only. Where one of them was, fixed
 * rates are left out unless they were chosen too.
 *
 * @param chosen what the command line said, by option
 */
record ComparisonSelection(Map<Part, List<String>> chosen) {
  private static final int USUAL = 64;

  /** What can be chosen. */
  enum Part {
    CONTESTANTS("--contestants", Contestants.DEFAULT),
    WORKS("--works", "send,recv,rate"),
    CONNECTIONS("--connections", "1,8,64,256"),
    BATCHES("--batches", "1,10,100"),
    RATES("--rates", "1000,4000");

    private final String option;
    private final String values;

    Part(String option, String values) {
      this.option = option;
      this.values = values;
    }

    /** What an option chooses, if it chooses. */
    static Optional<Part> of(String option) {
      return Arrays.stream(values()).filter(part -> part.option.equals(option)).findAny();
    }
  }

  static final ComparisonSelection ALL = new ComparisonSelection(Map.of());

  ComparisonSelection {
    chosen = Map.copyOf(chosen);
  }

  /**
   * With one part chosen.
   *
   * @throws IllegalArgumentException naming what is not understood
   */
  ComparisonSelection with(Part part, String values) {
    Map<Part, List<String>> more = new EnumMap<>(Part.class);
    more.putAll(chosen);
    more.put(part, split(values));
    ComparisonSelection selection = new ComparisonSelection(more);
    selection.loads();
    Contestants.check(selection.contestants());
    return selection;
  }

  boolean isAll() {
    return chosen.isEmpty();
  }

  List<String> contestants() {
    return values(Part.CONTESTANTS);
  }

  /** The loads of a round, in their order. */
  List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    for (String work : values(Part.WORKS)) {
      loads.addAll(Work.of(work) == Work.RATE ? rates() : closed(Work.of(work)));
    }
    return loads;
  }

  /** Whoever chooses connections or batches asks for closed loops. */
  private boolean wantsRates() {
    return !isEveryPair() || chosen.containsKey(Part.WORKS) || chosen.containsKey(Part.RATES);
  }

  private boolean isEveryPair() {
    return chosen.containsKey(Part.CONNECTIONS) || chosen.containsKey(Part.BATCHES);
  }

  private List<Load> rates() {
    return wantsRates() ? numbers(Part.RATES).stream().map(Load::atRate).toList() : List.of();
  }

  private List<Load> closed(Work work) {
    List<Load> loads = new ArrayList<>();
    for (int batch : numbers(Part.BATCHES)) {
      for (int connections : numbers(Part.CONNECTIONS)) {
        if (isEveryPair() || batch == 1 || connections == USUAL) {
          loads.add(Load.closed(work, connections, batch));
        }
      }
    }
    return loads;
  }

  private List<Integer> numbers(Part part) {
    return values(part).stream().map(value -> Options.number(part.option, value)).toList();
  }

  private List<String> values(Part part) {
    return chosen.getOrDefault(part, split(part.values));
  }

  private static List<String> split(String values) {
    return List.of(values.split(",", -1));
  }
}
