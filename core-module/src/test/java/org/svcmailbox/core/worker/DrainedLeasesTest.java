package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DrainedLeasesTest {
  private static final DrainedLeases FIRST = new DrainedLeases(3, 5);

  @Test
  void theLeasesOfAllWorkersAddUp() {
    assertEquals(new DrainedLeases(10, 16), FIRST.and(new DrainedLeases(7, 11)));
    assertEquals(FIRST, DrainedLeases.NONE.and(FIRST));
  }

  @Test
  void whereNoDataOutlivesTheProcessAllHaveEnded() {
    assertEquals(new DrainedLeases(0, 8), FIRST.lost());
  }
}
