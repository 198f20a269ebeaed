package org.svcmailbox.core.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a letter that the broker found too old ends, in minutes; its retention is 14 days. */
class LetterExpiryTest {
  private static final long RETENTION = 20_160;

  private static Instant at(long minutes) {
    return Instant.ofEpochSecond(60 * minutes);
  }

  @ParameterizedTest
  @CsvSource({
    // started, now, wall, dead at: end. In order, it ends now.
    "0, 30000, 30000, 1000, 30000",
    "0, 21160, 21160, 1000, 21160",
    // Its topic keeps letters longer than it did: the broker is right.
    "0, 20000, 20000, 1000, 20000",
    // The wall clock was set forward by years: it stays for its time on ours.
    "0, 20000, 9000000, 1000, 21160",
    "0, 19000, 9000000, 18000, 38160",
    // Set back, after a start with a clock that was ahead: it stays until the wall clock says so.
    "8000000, 8000100, 20000, 1000, 8001260",
    // Over on both.
    "0, 30000, 9000000, 1000, 30000",
    // A process that has just started waits an hour.
    "30000, 30010, 30010, 1000, 30060",
    "30000, 30060, 30060, 1000, 30060",
  })
  void itTakesTwoClocks(long started, long now, long wall, long deadAt, long end) {
    LetterExpiry expiry = new LetterExpiry(at(started), at(now), at(wall));
    assertEquals(at(end), expiry.end(at(deadAt), Duration.ofMinutes(RETENTION)));
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "59, 59", "60, 60", "61, 60", "20160, 60"})
  void aShortRetentionIsAShortWait(long retention, long wait) {
    LetterExpiry expiry = new LetterExpiry(at(30_000), at(30_000), at(30_000));
    assertEquals(at(30_000 + wait), expiry.end(at(0), Duration.ofMinutes(retention)));
  }
}
