package org.svcmailbox.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TailTest {
  @Test
  void theOpenLoopSendsHalfOfWhatTheClosedLoopReached() {
    assertEquals(4_440, Tail.half(8_881.5));
    assertEquals(1, Tail.half(0.3));
  }
}
