package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BeliefTermsTest {
  @ParameterizedTest
  @CsvSource({
    // fresh, outage, age; is fresh, is believed, left; all in milliseconds
    "30, 600, 0, true, true, 600",
    "30, 600, 29, true, true, 571",
    "30, 600, 30, false, true, 570",
    "30, 600, 599, false, true, 1",
    "30, 600, 600, false, false, 0",
    "30, 600, 9000, false, false, 0",
    "30, 30, 29, true, true, 1",
    "30, 30, 30, false, false, 0",
  })
  void anAnswerCountsByItsAge(
      long fresh, long outage, long age, boolean isFresh, boolean isBelieved, long left) {
    BeliefTerms terms = new BeliefTerms(Duration.ofMillis(fresh), Duration.ofMillis(outage));
    assertEquals(isFresh, terms.isFresh(Duration.ofMillis(age)));
    assertEquals(isBelieved, terms.isBelieved(Duration.ofMillis(age)));
    assertEquals(Duration.ofMillis(left), terms.left(Duration.ofMillis(age)));
  }

  @Test
  void anOutageEndsNoBeliefEarly() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new BeliefTerms(Duration.ofSeconds(30), Duration.ofSeconds(29)));
  }
}
