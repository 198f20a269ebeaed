package org.svcmailbox.bench.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RampTest {
  /** A ramp from pairs of a number of seconds and their rate. */
  private static Ramp ramp(double... secondsAndRates) {
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < secondsAndRates.length; i += 2) {
      rates.addAll(Collections.nCopies((int) secondsAndRates[i], secondsAndRates[i + 1]));
    }
    return new Ramp(rates);
  }

  @Test
  void thePeakIsTheMedianOfTheTwentyBestSecondsWhereverTheyAre() {
    assertEquals(1_000, ramp(60, 500, 9, 5_000, 11, 1_000, 70, 500).peak());
    assertEquals(750, ramp(60, 500, 1, 5_000, 9, 1_000, 70, 500).peak());
  }

  @Test
  void ofAShortLoadThePeakIsTheMedianOfTheBestQuarter() {
    assertEquals(900, ramp(9, 100, 1, 800, 1, 900, 1, 1_000).peak());
    assertEquals(7, ramp(1, 7).peak());
  }

  @Test
  void itIsWarmFromTheFirstOfThreeFastSeconds() {
    Ramp ramp = ramp(10, 100, 2, 800, 1, 799, 3, 800, 84, 1_000);
    assertEquals(OptionalInt.of(13), ramp.secondsToNearly());
  }

  @Test
  void aConstantRateIsWarmAtOnce() {
    assertEquals(OptionalInt.of(0), ramp(40, 1_000).secondsToNearly());
  }

  @Test
  void aRateThatIsNeverFastForThreeSecondsIsNeverWarm() {
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rates.add(i % 3 == 2 ? 100.0 : 1_000.0);
    }
    assertEquals(OptionalInt.empty(), new Ramp(rates).secondsToNearly());
    assertEquals(OptionalInt.empty(), ramp(2, 1_000).secondsToNearly());
  }

  @Test
  void nothingMeasuredIsAnError() {
    assertThrows(IllegalArgumentException.class, () -> new Ramp(List.of()));
  }
}
