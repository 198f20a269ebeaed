package org.svcmailbox.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.load.Outcome;

class SoakBoundsTest {
  private static final int MINUTES = 20;
  private static final SoakBounds BOUNDS = new SoakBounds(3_000, 300, 64);

  private static Outcome sent(double perSecond, double p99Millis) {
    return new Outcome((long) perSecond, 1, 5, 10, p99Millis);
  }

  private static SoakMinute calm(int minute) {
    return new SoakMinute(sent(3_000, 20 + minute % 3), 902_000, 64, 300 + minute % 5, 700);
  }

  private static List<String> violations(IntFunction<SoakMinute> minute) {
    List<SoakMinute> minutes = new ArrayList<>();
    for (int i = 0; i < MINUTES; i++) {
      minutes.add(minute.apply(i));
    }
    return BOUNDS.violations(minutes);
  }

  private static void broken(String what, IntFunction<SoakMinute> minute) {
    List<String> violations = violations(minute);
    assertTrue(
        !violations.isEmpty() && violations.stream().allMatch(text -> text.contains(what)),
        violations::toString);
  }

  @Test
  void steadyFiguresKeepTheirBounds() {
    assertEquals(List.of(), violations(SoakBoundsTest::calm));
  }

  @Test
  void growthDuringTheWarmUpIsIgnored() {
    assertEquals(
        List.of(),
        violations(
            minute ->
                minute < SoakBounds.WARM
                    ? new SoakMinute(sent(100, 900), 5_000_000, 900, 10L * minute, 10L * minute)
                    : calm(minute)));
  }

  @Test
  void everyBoundThatIsBrokenIsNamed() {
    broken("SENDs a second", minute -> new SoakMinute(sent(2_900, 20), 902_000, 64, 300, 700));
    broken("keys", minute -> new SoakMinute(sent(3_000, 20), 916_000, 64, 300, 700));
    broken("ledgers", minute -> new SoakMinute(sent(3_000, 20), 902_000, 70, 300, 700));
    broken("heap", minute -> new SoakMinute(sent(3_000, 20), 902_000, 64, 300 + 9L * minute, 700));
    broken("disk", minute -> new SoakMinute(sent(3_000, 20), 902_000, 64, 300, 700 + 20L * minute));
    broken("p99", minute -> new SoakMinute(sent(3_000, 12 * minute), 902_000, 64, 300, 700));
  }

  @Test
  void aShortRunIsRefused() {
    assertEquals(1, BOUNDS.violations(List.of(calm(0), calm(1))).size());
  }
}
