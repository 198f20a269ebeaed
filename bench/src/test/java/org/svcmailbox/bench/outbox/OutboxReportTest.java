package org.svcmailbox.bench.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Parts;

class OutboxReportTest {
  private final Figures figures = new Figures();

  private OutboxReport report() {
    return new OutboxReport(Map.of("cores", "2"), figures, Options.parse());
  }

  @Test
  void theMedianOfTheRoundsCounts() {
    List.of(0.1, 0.8, 9.0).forEach(ratio -> figures.add("drain.loop.ratio", ratio));
    String report = report().markdown();
    assertTrue(report.contains("| 0.80 | at least 0.80 | yes | 0.10, 0.80, 9.00 |"), report);
  }

  @Test
  void aGoalThatIsMissedIsShown() {
    figures.add("record.ratio", 1.26);
    String report = report().markdown();
    assertTrue(report.contains("| 1.26 | at most 1.25 | no | 1.26 |"), report);
  }

  @Test
  void figuresThatWereNotMeasuredAreLeftOut() {
    figures.add("journey.p50_ms", 50);
    String report = report().markdown();
    assertTrue(report.contains("p50 | 50.00 | at most 50 | yes |"), report);
    assertFalse(report.contains("p99"), report);
    assertFalse(report.contains("gruelbox"), report);
  }

  @Test
  void ratesAreWholeAndTimesAreNot() {
    figures.add("drain.ours", 12_345.6);
    figures.add("record.alone_ms", 0.456);
    String report = report().markdown();
    assertTrue(report.contains("| 12,346 | 12,346 |"), report);
    assertTrue(report.contains("| 0.46 | 0.46 |"), report);
  }

  @Test
  void everyGoalHasAPart() {
    assertEquals(
        Parts.OUTBOX.stream().collect(Collectors.toSet()),
        OutboxGoal.ALL.stream().map(OutboxGoal::part).collect(Collectors.toSet()));
  }

  @Test
  void thePageHasTheTables() throws Exception {
    figures.add("million.ratio", 1);
    assertTrue(report().document().contains(report().markdown()), report().document());
  }
}
