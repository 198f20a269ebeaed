package org.svcmailbox.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.bench.figure.Objective.MissedException;

class ObjectiveTest {
  @Test
  void aFigureBelowItsObjectiveIsGood() {
    Objective.LATENCY.require("client", 49.99);
  }

  @ParameterizedTest
  @ValueSource(doubles = {50, 51, Double.POSITIVE_INFINITY, Double.NaN})
  void anyOtherFailsTheRun(double millis) {
    assertThrows(MissedException.class, () -> Objective.LATENCY.require("client", millis));
  }

  @Test
  void theFailureNamesTheMissedObjective() {
    MissedException missed =
        assertThrows(MissedException.class, () -> Objective.LATENCY.require("server", 61.234));
    assertEquals(
        "p95 of enqueue + dequeue, server: 61.23 ms, which is not below 50 ms",
        missed.getMessage());
  }
}
