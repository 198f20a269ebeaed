package org.svcmailbox.bench.start;

import java.util.List;
import java.util.OptionalDouble;
import org.svcmailbox.bench.figure.Figures;

/**
 * A phase of the server's start, between two lines of its log. Phases overlap.
 *
 * @param key name among the figures of a server
 * @param title name in tables
 */
record StartPhase(String key, String title, Mark begin, Mark end) {
  /** All phases in their usual order. */
  static final List<StartPhase> ALL =
      List.of(
          phase("script", "start script, JVM", launch(), first("JBoss Modules version")),
          phase("modules", "modules", first("JBoss Modules version"), first("WFLYSRV0049")),
          phase("configuration", "configuration", first("WFLYSRV0049"), first("WFLYSRV0039")),
          phase("subsystems", "subsystems", first("WFLYSRV0039"), first("WFLYSRV0027")),
          phase("structure", "deployment: structure", first("WFLYSRV0027"), first("WFLYSRV0207")),
          phase("broker", "broker load", first("AMQ221000"), first("AMQ221007")),
          phase("parse", "deployment: parse to module", first("WFLYSRV0207"), first("WFLYJPA0010")),
          phase(
              "unit_1", "persistence unit, phase 1", first("WFLYJPA0010"), first("(phase 2 of 2)")),
          phase("first_use", "first module use", first("WFLYJPA0010"), first("WFLYEJB0473")),
          phase("install", "post module, install", first("WFLYEJB0473"), first("WFLYSRV0010")),
          phase("extensions", "CDI: extensions", first("WELD-000900"), first("Metrics activated")),
          phase(
              "unit_2",
              "persistence unit, phase 2",
              first("(phase 2 of 2)"),
              first("[org.flywaydb.")),
          phase("beans", "CDI: beans", first("Metrics activated"), first("Initializing Soteria")),
          phase("contexts", "web contexts", first("Initializing Soteria"), last("WFLYUT0021")),
          phase("migrations", "migrations", first("[org.flywaydb."), last("[org.flywaydb.")),
          phase(
              "workers", "to the workers", last("[org.flywaydb."), first("(mailbox-shard-worker-")),
          phase("rest", "end of the boot", last("WFLYUT0021"), first("WFLYSRV0025")));

  /** A moment in the log. */
  interface Mark {
    OptionalDouble in(StartLog log);
  }

  private static StartPhase phase(String key, String title, Mark begin, Mark end) {
    return new StartPhase(key, title, begin, end);
  }

  private static Mark launch() {
    return log -> OptionalDouble.of(0);
  }

  private static Mark first(String text) {
    return log -> log.first(text);
  }

  private static Mark last(String text) {
    return log -> log.last(text);
  }

  /** Records begin, end and length; leaves out what the log lacks. */
  void measure(StartLog log, String server, Figures figures) {
    String name = server + "." + key;
    OptionalDouble from = begin.in(log);
    OptionalDouble until = end.in(log);
    from.ifPresent(millis -> figures.add(name + ".begin_ms", millis));
    until.ifPresent(millis -> figures.add(name + ".end_ms", millis));
    if (from.isPresent() && until.isPresent()) {
      figures.add(name + ".length_ms", until.getAsDouble() - from.getAsDouble());
    }
  }
}
