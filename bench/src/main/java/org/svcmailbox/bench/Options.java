package org.svcmailbox.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

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
    Path work) {

  /** What can be measured. */
  enum Scenario {
    /** How fast it is. */
    SPEED(Duration.ofSeconds(8)),
    /** What ten times as much as it has room for does to its memory. */
    OVERLOAD(Duration.ofSeconds(8)),
    /** What one topic's overrun shard does to another topic. */
    NEIGHBOUR(Duration.ofSeconds(8)),
    /** How long a message takes at a rate that is no load. */
    LATENCY(Duration.ofMinutes(2)),
    /** How long the slowest ones take at half of what it can do. */
    TAIL(Duration.ofMinutes(10)),
    /** What a million messages that wait cost. */
    BACKLOG(Duration.ofSeconds(8), 1_000_000),
    /** What thousands of topics cost that nobody uses. */
    TOPICS(Duration.ofSeconds(8));

    private final Duration load;
    private final int backlog;

    Scenario(Duration load) {
      this(load, 100_000);
    }

    Scenario(Duration load, int backlog) {
      this.load = load;
      this.backlog = backlog;
    }
  }

  private static final Options DEFAULTS =
      new Options(
          Scenario.SPEED,
          3,
          Duration.ZERO,
          Duration.ofSeconds(60),
          List.of(1, 8, 64),
          0,
          0,
          Path.of("ear/target/mailbox-server"),
          Path.of("bench/target/run"));

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException naming what is not understood
   */
  static Options parse(String... arguments) {
    Options options = DEFAULTS;
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      options = options.with(arguments[i], arguments[i + 1]);
    }
    return options.asTheScenarioHasIt();
  }

  private Options with(String name, String value) {
    return switch (name) {
      case "--scenario" ->
          new Options(
              scenario(value), rounds, load, warmUp, connections, backlog, rate, home, work);
      case "--rounds" ->
          new Options(
              scenario, number(name, value), load, warmUp, connections, backlog, rate, home, work);
      case "--seconds" -> withLoad(seconds(name, value));
      case "--warm-up" ->
          new Options(
              scenario, rounds, load, seconds(name, value), connections, backlog, rate, home, work);
      case "--backlog" -> withBacklog(number(name, value));
      case "--rate" ->
          new Options(
              scenario,
              rounds,
              load,
              warmUp,
              connections,
              backlog,
              number(name, value),
              home,
              work);
      case "--home" ->
          new Options(
              scenario, rounds, load, warmUp, connections, backlog, rate, Path.of(value), work);
      default -> throw new IllegalArgumentException(name + " is not an option");
    };
  }

  private Options asTheScenarioHasIt() {
    Options lasting = load.isZero() ? withLoad(scenario.load) : this;
    return backlog == 0 ? lasting.withBacklog(scenario.backlog) : lasting;
  }

  private Options withBacklog(int messages) {
    return new Options(scenario, rounds, load, warmUp, connections, messages, rate, home, work);
  }

  private Options withLoad(Duration length) {
    return new Options(scenario, rounds, length, warmUp, connections, backlog, rate, home, work);
  }

  private static Scenario scenario(String value) {
    for (Scenario each : Scenario.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "--scenario is speed, overload, neighbour, latency, tail, backlog or topics");
  }

  private static Duration seconds(String name, String value) {
    return Duration.ofSeconds(number(name, value));
  }

  private static int number(String name, String value) {
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException(name + " needs a number from 1 to 9999999");
    }
    return Integer.parseInt(value);
  }
}
