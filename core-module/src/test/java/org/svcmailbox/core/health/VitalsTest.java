package org.svcmailbox.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.metrics.Metric;

class VitalsTest {
  /** The gauges of a service of which only one part is down, as {@code all, reads}. */
  private static List<Double> gauges(Part down) {
    Vitals vitals = part -> part == down ? Vital.down(part, "down") : Vital.up(part);
    return vitals.metrics().stream().map(Metric::now).toList();
  }

  @ParameterizedTest
  @EnumSource
  void theGaugesSayWhichCallsAPartStops(Part down) {
    List<Double> expected =
        switch (down.affects()) {
          case LIFE -> List.of(1.0, 1.0);
          case READS -> List.of(0.0, 0.0);
          case WRITES -> List.of(0.0, 1.0);
        };
    assertEquals(expected, gauges(down));
  }
}
