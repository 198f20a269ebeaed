package org.svcmailbox.bench.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.bench.options.ComparisonSelection.Part;

/**
 * The options of a run.
 *
 * @param rounds number of values of each figure, of which the median is reported
 * @param load duration of each load
 * @param warmUp load before anything is measured
 * @param connections numbers of connections of the scenario speed
 * @param backlog messages that RECV and ACK are measured with
 * @param rate messages a second; 0 if the scenario chooses
 * @param home home of the laid-out server
 * @param before home of an earlier build, to compare with
 * @param work directory for data, logs and results
 * @param variants servers started beside the default one
 * @param selection part of a comparison to measure
 * @param writesDocs whether to write the pages in docs
 * @param pairs keys of the client pairs to measure; empty for all
 * @param parts parts of the scenario to measure; empty for all
 * @param given the command line, each word after a blank
 */
public record Options(
    Scenario scenario,
    int rounds,
    Duration load,
    Duration warmUp,
    List<Integer> connections,
    int backlog,
    int rate,
    Path home,
    Optional<Path> before,
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
          "--before",
          "--pairs",
          "--parts",
          VARIANT);

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option or a value is unknown; the message names it
   */
  public static Options parse(String... arguments) {
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
    Scenario scenario = Scenario.of(values.getOrDefault("--scenario", Scenario.COMPARE.key()));
    return new Options(
        scenario,
        number(values, "--rounds", scenario.rounds),
        Duration.ofSeconds(number(values, "--seconds", (int) scenario.load.toSeconds())),
        Duration.ofSeconds(number(values, "--warm-up", (int) scenario.warmUp.toSeconds())),
        List.of(1, 8, 64),
        number(values, "--backlog", scenario.backlog),
        values.containsKey("--rate") ? number(values, "--rate", 1) : 0,
        Path.of(values.getOrDefault("--home", "server/distribution/target/mailbox-server")),
        Optional.ofNullable(values.get("--before")).map(Path::of),
        Path.of("bench/target/run"),
        variants,
        selection,
        values.containsKey(WRITE_DOCS),
        some("--pairs", values, Parts.CLIENT),
        some("--parts", values, scenario.parts()),
        given);
  }

  private static Set<String> some(String name, Map<String, String> values, List<String> known) {
    String value = values.get(name);
    Set<String> some = value == null ? Set.of() : new TreeSet<>(List.of(value.split(",", -1)));
    if (!known.containsAll(some)) {
      throw new IllegalArgumentException(name + " are " + String.join(", ", known));
    }
    return some;
  }

  /** The layout with Open Liberty, beside the other. */
  public Path liberty() {
    return home.resolveSibling("mailbox-liberty");
  }

  /** The data directory, created if it does not exist. */
  public Path data() throws IOException {
    return Files.createDirectories(work.resolve("data"));
  }

  /** A directory in the data directory, created if it does not exist. */
  public Path data(String name) throws IOException {
    return Files.createDirectories(work.resolve("data").resolve(name));
  }

  /** The file for the output of a process. */
  public Path output(String name) {
    return work.resolve(name + ".txt");
  }

  /** The rate of the command line, or this one. */
  public int rateOr(int otherwise) {
    return rate > 0 ? rate : otherwise;
  }

  /** Whether a part of the scenario is selected. */
  public boolean has(String part) {
    return parts.isEmpty() || parts.contains(part);
  }

  private static int number(Map<String, String> values, String name, int otherwise) {
    return number(name, values.getOrDefault(name, Integer.toString(otherwise)));
  }

  /** The default server and its variants. */
  public List<Variant> servers() {
    return Stream.concat(Stream.of(Variant.DEFAULT), variants.stream()).toList();
  }

  /**
   * Parses the value of an option.
   *
   * @throws IllegalArgumentException unless it is a number from 1 to 9999999
   */
  static int number(String name, String value) {
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException(name + " needs a number from 1 to 9999999");
    }
    return Integer.parseInt(value);
  }
}
