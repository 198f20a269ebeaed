package org.svcmailbox.bench.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausesTest {
  @Test
  void aPauseEndsWhenItIsWrittenAndLastsFromWhenThreadsWereToldToStop() {
    assertEquals(
        Optional.of(new Span("G1CollectForAllocation", 9_000_000, 12_000_000)),
        Pauses.parse(
            "[12000000ns] Safepoint \"G1CollectForAllocation\", Time since last: 55 ns, Reaching"
                + " safepoint: 1000000 ns, At safepoint: 2000000 ns, Total: 3000000 ns"));
  }

  @Test
  void otherLinesAreNoPauses() {
    assertEquals(
        Optional.empty(),
        Pauses.parse("[12000000ns] GC(1) Pause Young (Normal) 300M->100M(1024M) 7.123ms"));
  }
}
