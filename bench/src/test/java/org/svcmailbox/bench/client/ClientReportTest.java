package org.svcmailbox.bench.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Objective.MissedException;
import org.svcmailbox.bench.options.Options;

class ClientReportTest {
  private final ClientPair pair = new InMemoryPair();
  private final Figures figures = new Figures();

  private ClientReport report(double bytes, double... ratios) {
    for (double ratio : ratios) {
      figures.add(pair.names().ours(), 1_000 * ratio);
      figures.add(pair.names().theirs(), 1_000);
      figures.add(pair.names().ratio(), ratio);
    }
    figures.add(ClientReport.HELD_BYTES, bytes);
    return new ClientReport(Map.of(), figures, List.of(pair), Options.parse());
  }

  @Test
  void theMedianOfTheRoundsCounts() {
    ClientReport report = report(2_048, 0.09, 0.1, 9);
    assertDoesNotThrow(report::requireReached);
    assertTrue(
        report
            .markdown()
            .contains("| 100 | 1,000 | 0.10 | at least 0.10 | yes | 0.09, 0.10, 9.00 |"),
        report::markdown);
  }

  @Test
  void aRatioThatIsNotReachedFailsTheRun() {
    ClientReport report = report(2_048, 0.09, 0.09, 9);
    MissedException missed = assertThrows(MissedException.class, report::requireReached);
    assertEquals("not reached: memory: 0.09 of 0.10", missed.getMessage());
  }

  @Test
  void tooMuchMemoryFailsTheRun() {
    assertThrows(MissedException.class, report(2_049, 1)::requireReached);
    assertThrows(MissedException.class, report(Double.NaN, 1)::requireReached);
  }

  @Test
  void thePageHasTheTables() throws Exception {
    ClientReport report = report(1, 1);
    assertTrue(report.document().contains(report.markdown()), report.document());
  }
}
