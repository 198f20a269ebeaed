package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a failed message stays away, and how long a receiver pauses that failed. */
class BackoffTest {
  /** {@code min(60 * deliveryCount, 900)} seconds. */
  @ParameterizedTest
  @CsvSource({"1, 60", "2, 120", "14, 840", "15, 900", "16, 900", "2147483647, 900"})
  void itGrowsWithTheDeliveriesUpToAQuarterOfAnHour(int deliveryCount, long seconds) {
    assertEquals(Duration.ofSeconds(seconds), Processor.backoff(deliveryCount));
  }

  /** Half of 1 s, doubled up to 5 s, and a random part of the other half. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 500",
    "1, 1, 1000",
    "2, 1, 2000",
    "3, 0, 2000",
    "3, 1, 4000",
    "4, 0, 2500",
    "4, 0.5, 3750",
    "4, 1, 5000",
    "2147483647, 1, 5000"
  })
  void aReceiverPausesForFiveSecondsAtMost(int failures, double random, long millis) {
    assertEquals(Duration.ofMillis(millis), Receiver.pause(failures, random));
  }
}
