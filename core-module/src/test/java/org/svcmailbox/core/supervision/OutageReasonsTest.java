package org.svcmailbox.core.supervision;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OutageReasonsTest {
  private final OutageReasons reasons = new OutageReasons();

  @Test
  void aReasonIsLoggedOnceUntilTheOutageEnds() {
    assertFalse(reasons.end());
    assertTrue(reasons.add("away"));
    assertTrue(reasons.add("silent"));
    assertFalse(reasons.add("away"));
    assertTrue(reasons.end());
    assertFalse(reasons.end());
    assertTrue(reasons.add("away"));
  }

  @Test
  void anOutageHasSixteenReasonsAtMost() {
    for (int i = 0; i < 16; i++) {
      assertTrue(reasons.add("reason " + i));
    }
    assertFalse(reasons.add("one more"));
    assertTrue(reasons.end());
    assertTrue(reasons.add("one more"));
  }
}
