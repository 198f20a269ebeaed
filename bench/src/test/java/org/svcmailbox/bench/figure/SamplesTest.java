package org.svcmailbox.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void theMedianIsTheMiddle() {
    assertEquals(3, Samples.median(List.of(9.0, 1.0, 3.0)));
    assertEquals(2, Samples.median(List.of(3.0, 1.0)));
  }

  @Test
  void aPercentileIsNotBelowItsShareOfTheValues() {
    List<Long> values = LongStream.rangeClosed(1, 200).mapToObj(n -> 201 - n).toList();
    assertEquals(100, Samples.percentile(values, 50));
    assertEquals(198, Samples.percentile(values, 99));
    assertEquals(200, Samples.percentile(values, 100));
    assertEquals(7, Samples.percentile(List.of(7L), 50));
  }

  @Test
  void severalPercentilesAtOnceAreTheSameAsEachAlone() {
    List<Long> values = LongStream.rangeClosed(1, 1_000).mapToObj(n -> 1_001 - n).toList();
    assertEquals(List.of(500L, 999L, 1_000L), Samples.percentiles(values, 50, 99.9, 100));
  }
}
