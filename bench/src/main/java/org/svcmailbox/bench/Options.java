package org.svcmailbox.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.bench.ComparisonSelection.Part;

/**
 * What to measure, and for how long.
 *
 * @param scenario what to measure
 * @param rounds how often each figure is taken; its median is reported
 * @param load how long each load lasts; unless it is said, as the scenario has it
 * @param warmUp how long the server is warmed up first
 * @param connections the numbers of connections SEND is measured with
 * @param backlog messages that RECV and ACK are measured with; unless it is said, as the scenario
 *     has it
 * @param rate messages a second; 0 when the scenario chooses
 * @param home the laid-out server
 * @param work where data, logs and the JSON file go
 * @param variants of the server, started beside the one with the defaults
 * @param selection what of a comparison is wanted
 * @param writesDocs whether a part of a comparison is documented too
 * @param pairs what of the client library is compared; empty for everything
 * @param parts what of the rendezvous door or the outbox is measured; empty for everything
 * @param given the command line, each word with a blank before it
 */
record Options(
    Scenario scenario,
    int rounds,
    Duration load,
    Duration warmUp,
    List<Integer> connections,
    int backlog,
    int rate,
    Path home,
    Path work,
    List<Variant> variants,
    ComparisonSelection selection,
    boolean writesDocs,
    Set<String> pairs,
    Set<String> parts,
    String given) {
  private static final String WRITE_DOCS = "--write-docs";
  private static final String VARIANT = "--variant";
  private static final Set<String> WITH_VALUE =
      Set.of(
          "--scenario",
          "--rounds",
          "--seconds",
          "--warm-up",
          "--backlog",
          "--rate",
          "--home",
          "--pairs",
          "--parts",
          VARIANT);

  /** What can be measured. */
  enum Scenario {
    /** How fast it is beside what one would use in its place. */
    COMPARE(Duration.ofSeconds(5)),
    /** How fast it is. */
    SPEED(Duration.ofSeconds(8)),
    /** What ten times as much as it has room for does to its memory. */
    OVERLOAD(Duration.ofSeconds(8)),
    /** What one topic's overrun shard does to another topic. */
    NEIGHBOUR(Duration.ofSeconds(8)),
    /** How long a SEND takes while a hundred thousand messages expire at once. */
    EXPIRY(Duration.ofSeconds(20)),
    /** How long a message takes at a rate that is no load. */
    LATENCY(Duration.ofMinutes(2)),
    /** How long the slowest ones take at half of what it can do. */
    TAIL(Duration.ofMinutes(10)),
    /** A steady rate for an hour: memory, disk, keys and latency stay flat. */
    SOAK(Duration.ofHours(1)),
    /** What a million messages that wait cost. */
    BACKLOG(Duration.ofSeconds(8), 1_000_000),
    /** What thousands of topics cost that nobody uses. */
    TOPICS(Duration.ofSeconds(8)),
    /** How long a start takes beside that of the same server with nothing deployed. */
    START(Duration.ofSeconds(8), 100_000, 5),
    /** How long after a start it is nearly as fast as it gets. */
    WARMTH(Duration.ofSeconds(150)),
    /** How fast the client library is beside what one would use in its place. */
    CLIENT(Duration.ofSeconds(5), 20_000),
    /** Whether the client library grows while its server is restarted every minute. */
    CLIENT_SOAK(Duration.ofMinutes(10)),
    /** How fast the rendezvous door is, how soon it wakes waiters, and what it costs. */
    RENDEZVOUS(Duration.ofSeconds(4), 100_000, 5),
    /** The cost of an event to its transaction, and how fast the outbox is emptied. */
    OUTBOX(Duration.ofSeconds(5), 100_000, 3, Duration.ofSeconds(10));

    private final Duration load;
    private final int backlog;
    private final int rounds;
    private final Duration warmUp;

    Scenario(Duration load) {
      this(load, 100_000);
    }

    Scenario(Duration load, int backlog) {
      this(load, backlog, 3);
    }

    Scenario(Duration load, int backlog, int rounds) {
      this(load, backlog, rounds, Duration.ofMinutes(1));
    }

    Scenario(Duration load, int backlog, int rounds, Duration warmUp) {
      this.warmUp = warmUp;
      this.load = load;
      this.backlog = backlog;
      this.rounds = rounds;
    }

    /** The parts that {@code --parts} selects from. */
    private List<String> parts() {
      return this == OUTBOX ? OutboxGoal.PARTS : RendezvousBench.PARTS;
    }

    private String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException naming what is not understood
   */
  static Options parse(String... arguments) {
    Map<String, String> values = new HashMap<>();
    List<Variant> variants = new ArrayList<>();
    ComparisonSelection selection = ComparisonSelection.ALL;
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      Optional<Part> part = Part.of(name);
      if (name.equals(WRITE_DOCS)) {
        values.put(name, name);
      } else if (part.isEmpty() && !WITH_VALUE.contains(name)) {
        throw new IllegalArgumentException(name + " is not an option");
      } else if (++i == arguments.length) {
        throw new IllegalArgumentException(name + " needs a value");
      } else if (part.isPresent()) {
        selection = selection.with(part.get(), arguments[i]);
      } else if (name.equals(VARIANT)) {
        variants.add(Variant.parse(arguments[i]));
      } else {
        values.put(name, arguments[i]);
      }
    }
    String given = Arrays.stream(arguments).map(word -> " " + word).collect(Collectors.joining());
    Variant.requireOthers(variants);
    return of(values, List.copyOf(variants), selection, given);
  }

  private static Options of(
      Map<String, String> values,
      List<Variant> variants,
      ComparisonSelection selection,
      String given) {
    Scenario scenario = scenario(values.getOrDefault("--scenario", Scenario.COMPARE.key()));
    return new Options(
        scenario,
        number(values, "--rounds", scenario.rounds),
        Duration.ofSeconds(number(values, "--seconds", (int) scenario.load.toSeconds())),
        Duration.ofSeconds(number(values, "--warm-up", (int) scenario.warmUp.toSeconds())),
        List.of(1, 8, 64),
        number(values, "--backlog", scenario.backlog),
        values.containsKey("--rate") ? number(values, "--rate", 1) : 0,
        Path.of(values.getOrDefault("--home", "ear/target/mailbox-server")),
        Path.of("bench/target/run"),
        variants,
        selection,
        values.containsKey(WRITE_DOCS),
        some("--pairs", values, ClientBench.PAIRS),
        some("--parts", values, scenario.parts()),
        given);
  }

  private static Scenario scenario(String value) {
    for (Scenario each : Scenario.values()) {
      if (each.key().equals(value)) {
        return each;
      }
    }
    String known =
        Arrays.stream(Scenario.values()).map(Scenario::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("--scenario is one of " + known);
  }

  private static Set<String> some(String name, Map<String, String> values, List<String> known) {
    String value = values.get(name);
    Set<String> some = value == null ? Set.of() : new TreeSet<>(List.of(value.split(",", -1)));
    if (!known.containsAll(some)) {
      throw new IllegalArgumentException(name + " are " + String.join(", ", known));
    }
    return some;
  }

  /** Whether a part of the rendezvous door or the outbox is measured. */
  boolean has(String part) {
    return parts.isEmpty() || parts.contains(part);
  }

  private static int number(Map<String, String> values, String name, int otherwise) {
    return number(name, values.getOrDefault(name, Integer.toString(otherwise)));
  }

  /** The server with its defaults, and its variants. */
  List<Variant> servers() {
    return Stream.concat(Stream.of(Variant.DEFAULT), variants.stream()).toList();
  }

  /**
   * Reads a number.
   *
   * @param name of the option, for the error
   */
  static int number(String name, String value) {
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException(name + " needs a number from 1 to 9999999");
    }
    return Integer.parseInt(value);
  }
}
