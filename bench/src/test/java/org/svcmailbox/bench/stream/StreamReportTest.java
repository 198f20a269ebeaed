package org.svcmailbox.bench.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.options.Options;

class StreamReportTest {
  private final Figures figures = new Figures();

  private StreamReport report() {
    return new StreamReport(Map.of(), figures, Options.parse());
  }

  private void round(String key, double perSecond, double micros) {
    figures.add(StreamFigures.rate(key), perSecond);
    figures.add(StreamFigures.cpu(key), micros);
  }

  @Test
  void theRatioIsThatOfTheRounds() {
    for (double ours : List.of(500.0, 1_300.0, 9_000.0)) {
      round("recv.ndjson.10", ours, 50);
      round("recv.http", 1_000, 100);
    }
    String report = report().markdown();
    assertTrue(
        report.contains(
            "| 1,300 | 1,000 | 1.30 | at least 1.30 | yes | 0.50, 1.30, 9.00 | 50.0 | 100.0 | 0.50 |"),
        report);
  }

  @Test
  void whatWasNotMeasuredIsLeftOut() {
    round("send.grpc", 599, 1);
    round("send.artemis", 1_000, 1);
    String report = report().markdown();
    assertTrue(report.contains("| 0.60 | at least 0.60 | no |"), report);
    assertFalse(report.contains("NDJSON"), report);
    assertFalse(report.contains("heap"), report);
  }

  @Test
  void aTimeIsReachedUpToTwoMilliseconds() {
    figures.add(StreamFigures.millis("callback.grpc", 50), 2);
    figures.add(StreamFigures.millis("callback.ndjson", 50), 2.01);
    String report = report().markdown();
    assertTrue(report.contains("idle, grpc | 2.00 | at most 2 | yes |"), report);
    assertTrue(report.contains("idle, ndjson | 2.01 | at most 2 | no |"), report);
  }

  @Test
  void aStalledStreamIsComparedWithNone() {
    figures.add(StreamFigures.millis("stalled.none", 99), 2);
    figures.add(StreamFigures.millis("stalled.one", 99), 3.1);
    String report = report().markdown();
    assertTrue(report.contains("| 1.55 | at most 1.50 | no | 1.55 |"), report);
  }

  @Test
  void roundsThatLackOneOfTheTwoHaveNoRatio() {
    round("a", 1, 1);
    round("a", 3, 1);
    round("b", 2, 1);
    assertEquals(
        List.of(0.5),
        StreamFigures.ratios(figures, StreamFigures.rate("a"), StreamFigures.rate("b")));
  }

  @Test
  void thePageHasTheTables() throws Exception {
    round("idle.both", 97, 1);
    round("idle.none", 100, 1);
    assertTrue(report().document().contains(report().markdown()), report().document());
  }
}
