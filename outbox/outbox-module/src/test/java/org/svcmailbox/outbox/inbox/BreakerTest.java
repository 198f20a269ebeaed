package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.memory.VirtualClock;

class BreakerTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  /**
   * Events of a time of one millisecond each: N fails for the first time, A again, S succeeds, T is
   * tried. Then whether it is paused, and what it permits of a room of 4 at that time and after
   * some milliseconds.
   */
  @ParameterizedTest
  @CsvSource({
    "'', false, 4, 0, 4",
    "NNNNNNNNN, false, 4, 0, 4",
    "NNNNNNNNNN, true, 0, 498, 0",
    "NNNNNNNNNN, true, 0, 499, 1",
    "NNNNNNNNNAAAAAAAAAAAA, false, 4, 0, 4",
    "AAAAAAAAAAAAAAAAAAAA, false, 4, 0, 4",
    "NNNNNNNNNSN, false, 4, 0, 4",
    "NNNNNNNNNNS, false, 4, 0, 4",
    "NNNNNNNNNNNNNNN, true, 0, 494, 1",
    "NNNNNNNNNNAAAAA, true, 0, 494, 1",
    "NNNNNNNNNNT, true, 0, 998, 0",
    "NNNNNNNNNNT, true, 0, 999, 1",
    "NNNNNNNNNNTT, true, 0, 1999, 1",
    "NNNNNNNNNNTNNN, true, 0, 996, 1",
    "NNNNNNNNNNTTTTTTTTT, true, 0, 29998, 0",
    "NNNNNNNNNNTTTTTTTTT, true, 0, 29999, 1",
    "NNNNNNNNNNTTTTTTTTTSNNNNNNNNNN, true, 0, 499, 1",
    "TTTT, false, 4, 0, 4",
  })
  void eachHistoryHasThisEnd(
      String history, boolean isPaused, int permits, int laterMillis, int permitsLater) {
    Breaker breaker = Breaker.CLOSED;
    long now = 0;
    for (int i = 0; i < history.length(); i++) {
      breaker =
          switch (history.charAt(i)) {
            case 'N' -> breaker.failed(true, now, 0.5);
            case 'A' -> breaker.failed(false, now, 0.5);
            case 'T' -> breaker.tried(now, 0.5);
            default -> Breaker.CLOSED;
          };
      now += MILLI.toNanos();
    }
    assertEquals(isPaused, breaker.isPaused());
    assertEquals(permits, breaker.permits(4, now));
    assertEquals(permitsLater, breaker.permits(4, now + MILLI.toNanos() * laterMillis));
  }

  @Test
  void aMessageCountsOnceUntilItSucceeds() {
    OutageWatch watch = new OutageWatch(new VirtualClock(), () -> 0.5);
    List<Boolean> pauses = new ArrayList<>();
    for (int i = 0; i < 5 * Breaker.FAILURES; i++) {
      pauses.add(watch.failed("m" + i % 9));
    }
    assertFalse(pauses.contains(true));
    assertTrue(watch.failed("m9"));
    assertTrue(watch.isPaused());
    assertTrue(watch.succeeded("m0"));
    assertFalse(watch.succeeded("m0"));
    // Of the ten, only the one that succeeded counts again.
    for (int i = 0; i < 10; i++) {
      assertFalse(watch.failed("m" + i));
    }
    for (int i = 10; i < 18; i++) {
      assertFalse(watch.failed("m" + i));
    }
    assertTrue(watch.failed("m18"));
  }

  @Test
  void messagesThatFailedLongAgoAreForgotten() {
    OutageWatch watch = new OutageWatch(new VirtualClock(), () -> 0.5);
    for (int i = 0; i <= OutageWatch.MAX_REMEMBERED; i++) {
      boolean unused = watch.failed("m" + i);
      boolean unusedToo = watch.succeeded("another");
    }
    for (int i = 1; i < 10; i++) {
      assertFalse(watch.failed("m" + i), "it is remembered");
    }
    assertFalse(watch.failed("m0"), "it counts again, as one");
    for (int i = 0; i < 8; i++) {
      assertFalse(watch.failed("new" + i));
    }
    assertTrue(watch.failed("new8"));
  }
}
