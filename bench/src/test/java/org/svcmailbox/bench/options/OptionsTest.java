package org.svcmailbox.bench.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void aMissingOptionHasADefault() {
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
  void aScenarioHasItsOwnWarmUpUnlessOneIsGiven() {
    assertEquals(Duration.ofMinutes(1), Options.parse("--scenario", "client").warmUp());
    assertEquals(Duration.ofSeconds(10), Options.parse("--scenario", "outbox").warmUp());
    Options given = Options.parse("--warm-up", "3", "--scenario", "outbox");
    assertEquals(Duration.ofSeconds(3), given.warmUp());
  }

  @Test
  void aScenarioHasItsOwnBacklogUnlessOneIsGiven() {
    assertEquals(100_000, Options.parse().backlog());
    assertEquals(1_000_000, Options.parse("--scenario", "backlog").backlog());
    assertEquals(500, Options.parse("--backlog", "500", "--scenario", "backlog").backlog());
  }

  @Test
  void theScenarioChoosesARateUnlessOneIsGiven() {
    assertEquals(0, Options.parse("--scenario", "tail").rate());
    assertEquals(2_500, Options.parse("--scenario", "tail", "--rate", "2500").rate());
  }

  @Test
  void aScenarioOfTwoWordsIsWrittenWithAHyphen() {
    Options soak = Options.parse("--scenario", "client-soak");
    assertEquals(Scenario.CLIENT_SOAK, soak.scenario());
    assertEquals(Duration.ofMinutes(10), soak.load());
  }

  @Test
  void everyPairIsMeasuredUnlessSomeAreNamed() {
    assertEquals(Set.of(), Options.parse("--scenario", "client").pairs());
    assertEquals(
        Set.of("memory", "http-batch"), Options.parse("--pairs", "memory,http-batch").pairs());
  }

  @Test
  void everyPartIsMeasuredUnlessSomeAreNamed() {
    Options all = Options.parse("--scenario", "rendezvous");
    assertTrue(all.has("tls") && all.has("send"));
    Options some = Options.parse("--scenario", "rendezvous", "--parts", "send,pairs");
    assertTrue(some.has("send") && !some.has("tls"));
    Options outbox = Options.parse("--parts", "drain", "--scenario", "outbox");
    assertTrue(outbox.has("drain") && !outbox.has("record"));
  }

  @Test
  void anInvalidOptionIsRefusedByName() {
    for (String[] bad :
        new String[][] {
          {"--rounds"},
          {"--rounds", "0"},
          {"--rounds", "x"},
          {"--speed", "1"},
          {"--pairs", "http"},
          {"--parts", "http"},
          {"--parts", "tls", "--scenario", "outbox"}
        }) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Options.parse(bad));
      assertTrue(String.valueOf(refused.getMessage()).startsWith(bad[0] + " "));
    }
  }
}
