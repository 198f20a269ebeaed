package org.svcmailbox.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BoundTest {
  @Test
  void theValueOfABoundKeepsIt() {
    assertTrue(Bound.atMost(2).holds(2));
    assertFalse(Bound.atMost(2).holds(Math.nextUp(2.0)));
    assertTrue(Bound.atLeast(2).holds(2));
    assertFalse(Bound.atLeast(2).holds(Math.nextDown(2.0)));
  }

  @Test
  void nanKeepsNoBound() {
    assertFalse(Bound.atMost(2).holds(Double.NaN));
    assertEquals("no", Bound.atLeast(2).reached(Double.NaN));
  }

  @Test
  void aBoundIsWrittenWithItsDigits() {
    assertEquals("at most 2,048", Bound.atMost(2_048).wanted());
    assertEquals("at least 0.80", Bound.atLeast(0.8).wanted());
  }
}
