package org.svcmailbox.bench.options;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The scenarios and their defaults; bench/README.md describes each. */
public enum Scenario {
  COMPARE(Duration.ofSeconds(5)),
  SPEED(Duration.ofSeconds(8)),
  OVERLOAD(Duration.ofSeconds(8)),
  NEIGHBOUR(Duration.ofSeconds(8)),
  GREEDY(Duration.ofMinutes(1), 100_000, 1),
  EXPIRY(Duration.ofSeconds(20)),
  LATENCY(Duration.ofMinutes(2)),
  TAIL(Duration.ofMinutes(10)),
  SOAK(Duration.ofHours(1)),
  BACKLOG(Duration.ofSeconds(8), 1_000_000),
  TOPICS(Duration.ofSeconds(8)),
  START(Duration.ofSeconds(8), 100_000, 5),
  WARMTH(Duration.ofSeconds(150)),
  CLIENT(Duration.ofSeconds(5), 20_000),
  CLIENT_SOAK(Duration.ofMinutes(10)),
  RENDEZVOUS(Duration.ofSeconds(4), 100_000, 5),
  STREAMS(Duration.ofSeconds(3), 20_000, 5, Duration.ofSeconds(30)),
  OUTBOX(Duration.ofSeconds(5), 100_000, 3, Duration.ofSeconds(10));

  final Duration load;
  final int backlog;
  final int rounds;
  final Duration warmUp;

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
    this.load = load;
    this.backlog = backlog;
    this.rounds = rounds;
    this.warmUp = warmUp;
  }

  /** The names that {@code --parts} selects from. */
  List<String> parts() {
    return switch (this) {
      case OUTBOX -> Parts.OUTBOX;
      case STREAMS -> Parts.STREAMS;
      default -> Parts.RENDEZVOUS;
    };
  }

  /** Its name on the command line. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Parses a {@link #key}.
   *
   * @throws IllegalArgumentException if there is no such scenario
   */
  static Scenario of(String key) {
    for (Scenario each : values()) {
      if (each.key().equals(key)) {
        return each;
      }
    }
    String known = Arrays.stream(values()).map(Scenario::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("--scenario is one of " + known);
  }
}
