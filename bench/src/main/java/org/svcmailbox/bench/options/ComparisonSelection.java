package org.svcmailbox.bench.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Work;

/**
 * The selected part of a comparison. By default, batches are measured with {@link #USUAL}
 * connections only; a selection of connections or batches measures every combination, and fixed
 * rates only if they or works are selected too.
 *
 * @param chosen selected values by option
 */
public record ComparisonSelection(Map<Part, List<String>> chosen) {
  private static final int USUAL = 64;

  /** Another layout or an earlier build: measured only if they are named. */
  private static final String MORE =
      "mailbox-liberty,mailbox-external,mailbox-before,mailbox-postgresql-before";

  /** The options that select a part. */
  enum Part {
    CONTESTANTS(
        "--contestants",
        "mailbox,mailbox-postgresql,mailbox-octet,elasticmq-memory,elasticmq-file,"
            + "artemis,postgresql,rabbitmq,nats,redis,beanstalkd,servlet"),
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

    /** The part of an option; empty for other options. */
    static Optional<Part> of(String option) {
      return Arrays.stream(values()).filter(part -> part.option.equals(option)).findAny();
    }
  }

  static final ComparisonSelection ALL = new ComparisonSelection(Map.of());

  public ComparisonSelection {
    chosen = Map.copyOf(chosen);
  }

  /**
   * Adds the values of one option.
   *
   * @throws IllegalArgumentException if a value is unknown; the message names it
   */
  ComparisonSelection with(Part part, String values) {
    Map<Part, List<String>> more = new EnumMap<>(Part.class);
    more.putAll(chosen);
    more.put(part, split(values));
    ComparisonSelection selection = new ComparisonSelection(more);
    selection.loads();
    selection.requireKnownContestants();
    return selection;
  }

  public boolean isAll() {
    return chosen.isEmpty();
  }

  public List<String> contestants() {
    return values(Part.CONTESTANTS);
  }

  public List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    for (String work : values(Part.WORKS)) {
      loads.addAll(Work.of(work) == Work.RATE ? rates() : closed(Work.of(work)));
    }
    return loads;
  }

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

  private void requireKnownContestants() {
    List<String> known = split(Part.CONTESTANTS.values + "," + MORE);
    for (String name : contestants()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "--contestants are " + String.join(", ", known) + ", not " + name);
      }
    }
  }

  private static List<String> split(String values) {
    return List.of(values.split(",", -1));
  }
}
