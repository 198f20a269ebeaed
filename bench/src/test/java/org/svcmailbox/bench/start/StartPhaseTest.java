package org.svcmailbox.bench.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;

class StartPhaseTest {
  private static final Instant LAUNCHED = Instant.parse("2026-11-22T11:44:38.500Z");
  private static final String LOG =
      """
        JAVA_OPTS: -Xms1g 2026-11-22 11:44:38,600 WFLYSRV0049
      2026-11-22 11:44:39,005 INFO  [org.jboss.modules] (main) [] JBoss Modules version 2.1.6.Final
      2026-11-22 11:44:39,833 INFO  [org.jboss.as] (MSC service thread 1-2) [] WFLYSRV0049: starting
      2026-11-22 11:44:50,614 INFO  [org.flywaydb.core.FlywayExecutor] (pool -- 51) [] Database: x
      2026-11-22 11:44:50,801 INFO  [org.flywaydb.core.internal.command.DbMigrate] (pool -- 51) [] y
      2026-11-22 11:44:51,398 INFO  [org.svcmailbox.z] (mailbox-shard-worker-0) [] Messages go
      2026-11-22 11:44:51,400 INFO  [org.svcmailbox.z] (mailbox-shard-worker-1) [] Messages go
      """;

  private final Figures figures = new Figures();
  private final StartLog log = StartLog.parse(LOG.lines().toList(), LAUNCHED, ZoneOffset.UTC);

  private void assertPhase(String key, List<Double> begin, List<Double> end) {
    StartPhase.ALL.stream()
        .filter(phase -> phase.key().equals(key))
        .forEach(phase -> phase.measure(log, "mailbox", figures));
    assertEquals(begin, figures.of("mailbox." + key + ".begin_ms"));
    assertEquals(end, figures.of("mailbox." + key + ".end_ms"));
  }

  @Test
  void aPhaseLiesBetweenTwoLines() {
    assertPhase("script", List.of(0.0), List.of(505.0));
    assertPhase("modules", List.of(505.0), List.of(1333.0));
    assertEquals(List.of(828.0), figures.of("mailbox.modules.length_ms"));
  }

  @Test
  void aRepeatedLineBeginsWithTheFirstAndEndsWithTheLast() {
    assertPhase("migrations", List.of(12114.0), List.of(12301.0));
    assertPhase("workers", List.of(12301.0), List.of(12898.0));
  }

  @Test
  void aMissingLineHasNoTime() {
    assertPhase("configuration", List.of(1333.0), List.of());
    assertEquals(List.of(), figures.of("mailbox.configuration.length_ms"));
    assertPhase("broker", List.of(), List.of());
  }

  @Test
  void onlyTheTimeOfALineItselfCounts() {
    assertEquals(OptionalDouble.of(1333), log.first("WFLYSRV0049"));
    assertEquals(6, log.lines().size());
  }
}
