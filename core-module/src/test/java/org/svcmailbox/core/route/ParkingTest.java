package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.time.TestTime;

class ParkingTest {
  private final TestTime time = new TestTime();
  private final Parking parking = new Parking(time);
  private final List<String> resumed = new ArrayList<>();

  private boolean park(String call, int millis) {
    return parking.park(Duration.ofMillis(millis), () -> resumed.add(call));
  }

  @Test
  void callsAreResumedOnceWhenTheirTimeHasCome() {
    assertTrue(park("b", 200));
    assertTrue(park("a", 100));
    time.advance(Duration.ofMillis(99));
    assertEquals(0, parking.tick());
    time.advance(Duration.ofMillis(1));
    assertEquals(1, parking.tick());
    time.advance(Duration.ofMillis(100));
    assertEquals(1, parking.tick());
    assertEquals(0, parking.tick());
    assertEquals(List.of("a", "b"), resumed);
  }

  @Test
  void aCallThatParksAgainWhileItIsResumedHasRoom() {
    for (int i = 0; i < Parking.MOST; i++) {
      assertTrue(parking.park(Duration.ZERO, () -> assertTrue(park("again", 1))));
    }
    assertFalse(park("one more", 1));
    assertEquals(Parking.MOST, parking.tick());
    assertFalse(park("one more", 1));
  }

  @Test
  void aCallThatFailsKeepsNoOtherFromBeingResumed() {
    IllegalStateException planted = new IllegalStateException("planted");
    for (int i = 0; i < 2; i++) {
      assertTrue(park("before", 1));
      assertTrue(
          parking.park(
              Duration.ofMillis(1),
              () -> {
                throw planted;
              }));
      assertTrue(park("behind", 1));
      time.advance(Duration.ofMillis(1));
      if (i == 0) {
        assertSame(planted, assertThrows(IllegalStateException.class, parking::tick));
      } else {
        assertSame(planted, assertThrows(IllegalStateException.class, parking::end));
      }
    }
    assertEquals(List.of("before", "behind", "before", "behind"), resumed);
  }

  @Test
  void callsDoNotWaitOnceTheNodeStops() {
    assertTrue(park("a", 60_000));
    assertTrue(parking.park(Duration.ofHours(1), () -> assertFalse(park("again", 1))));
    parking.end();
    assertEquals(List.of("a"), resumed);
    assertFalse(park("late", 1));
    assertEquals(0, parking.tick());
  }
}
