package org.svcmailbox.core.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimestampsTest {
  private static final int INSTANTS = 20_000;

  @Test
  void theTextHasExactlyThreeDecimals() {
    assertEquals("1970-01-01T00:00:00.000Z", Timestamps.text(Instant.EPOCH));
    assertEquals("2026-11-25T19:41:08.070Z", text("2026-11-25T19:41:08.07Z"));
    assertEquals("2026-11-25T19:41:08.123Z", text("2026-11-25T19:41:08.123999999Z"));
    assertEquals("1969-12-31T23:59:59.999Z", text("1969-12-31T23:59:59.999999Z"));
  }

  private static String text(String instant) {
    return Timestamps.text(Instant.parse(instant));
  }

  /** Threads share the last text, so each must still get the text of its own instant. */
  @Test
  void threadsGetTheTextOfTheirOwnInstant() throws InterruptedException {
    Checker[] checkers = new Checker[4];
    for (int i = 0; i < checkers.length; i++) {
      checkers[i] = new Checker(i);
      checkers[i].start();
    }
    for (Checker checker : checkers) {
      checker.join();
      assertEquals("", checker.wrong);
    }
  }

  private static final class Checker extends Thread {
    private final Random random;
    private String wrong = "";

    Checker(int seed) {
      this.random = new Random(seed);
    }

    @Override
    public void run() {
      for (int i = 0; i < INSTANTS; i++) {
        Instant instant = Instant.ofEpochSecond(1_700_000_000, 250_000L * random.nextInt(16));
        String expected = expected(instant);
        String actual = Timestamps.text(instant);
        if (!actual.equals(expected)) {
          wrong = actual + " instead of " + expected;
        }
      }
    }

    /** A naive formatter. */
    private static String expected(Instant instant) {
      var time = instant.atOffset(ZoneOffset.UTC);
      return String.format(
          "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
          time.getYear(),
          time.getMonthValue(),
          time.getDayOfMonth(),
          time.getHour(),
          time.getMinute(),
          time.getSecond(),
          time.getNano() / 1_000_000);
    }
  }
}
