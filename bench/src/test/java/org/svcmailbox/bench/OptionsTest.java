package org.svcmailbox.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void whatIsNotGivenHasADefault() {
    Options options = Options.parse("--rounds", "7", "--seconds", "2");
    assertEquals(7, options.rounds());
    assertEquals(Duration.ofSeconds(2), options.load());
    assertEquals(Options.parse().backlog(), options.backlog());
  }

  @Test
  void aScenarioHasItsOwnLengthUnlessOneIsGiven() {
    assertEquals(Duration.ofSeconds(5), Options.parse().load());
    assertEquals(Duration.ofSeconds(8), Options.parse("--scenario", "speed").load());
    assertEquals(Duration.ofMinutes(2), Options.parse("--scenario", "latency").load());
    Options given = Options.parse("--seconds", "30", "--scenario", "latency");
    assertEquals(Duration.ofSeconds(30), given.load());
  }

  @Test
  void whatIsNotUnderstoodIsRefusedByName() {
    for (String[] bad :
        new String[][] {{"--rounds"}, {"--rounds", "0"}, {"--rounds", "x"}, {"--speed", "1"}}) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Options.parse(bad));
      assertTrue(String.valueOf(refused.getMessage()).startsWith(bad[0] + " "));
    }
  }
}
