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
 * @param backlog messages that RECV and ACK are measured with
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
    LATENCY(Duration.ofMinutes(2));

    private final Duration load;

    Scenario(Duration load) {
      this.load = load;
    }
  }

  private static final Options DEFAULTS =
      new Options(
          Scenario.SPEED,
          3,
          Duration.ZERO,
          Duration.ofSeconds(60),
          List.of(1, 8, 64),
          100_000,
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
    return options.load.isZero() ? options.withLoad(options.scenario.load) : options;
  }

  private Options with(String name, String value) {
    return switch (name) {
      case "--scenario" ->
          new Options(scenario(value), rounds, load, warmUp, connections, backlog, home, work);
      case "--rounds" ->
          new Options(
              scenario, number(name, value), load, warmUp, connections, backlog, home, work);
      case "--seconds" -> withLoad(seconds(name, value));
      case "--warm-up" ->
          new Options(
              scenario, rounds, load, seconds(name, value), connections, backlog, home, work);
      case "--backlog" ->
          new Options(scenario, rounds, load, warmUp, connections, number(name, value), home, work);
      case "--home" ->
          new Options(scenario, rounds, load, warmUp, connections, backlog, Path.of(value), work);
      default -> throw new IllegalArgumentException(name + " is not an option");
    };
  }

  private Options withLoad(Duration length) {
    return new Options(scenario, rounds, length, warmUp, connections, backlog, home, work);
  }

  private static Scenario scenario(String value) {
    for (Scenario each : Scenario.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
        return each;
      }
    }
    throw new IllegalArgumentException("--scenario is speed, overload, neighbour or latency");
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
