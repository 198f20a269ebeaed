package org.svcmailbox.bench.start;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.options.Options;

class StartReportTest {
  private final Figures figures = new Figures();

  private String markdown() {
    Options options = Options.parse("--scenario", "start", "--rounds", "2");
    return new StartReport(Map.of(), figures, options).markdown();
  }

  private void add(String name, double... values) {
    for (double value : values) {
      figures.add(name, value);
    }
  }

  private void ready(double stock, double ours) {
    add("stock.ready_ms", stock, stock);
    add("stock.cpu_s", 4, 4);
    add("mailbox.ready_ms", ours, ours);
    add("mailbox.cpu_s", 6, 7);
    add("mailbox.first_send_ms", 50, 60);
    add("mailbox.next_sends_ms", 2, 3);
  }

  private void assertContains(String row) {
    String all = markdown();
    assertTrue(all.contains(row), all);
  }

  @Test
  void aStartWithinTheRatioReachesTheGoal() {
    ready(1_000, 1_600);
    assertContains("| mailbox | 1600 | 6.5 | 1.60 | yes | 55 | 2.5 | 1600, 1600 |");
  }

  @Test
  void aSlowerStartMissesTheGoal() {
    ready(1_000, 1_601);
    assertContains("| mailbox | 1601 | 6.5 | 1.60 | no |");
  }

  @Test
  void aMissingPhaseIsReported() {
    ready(1_000, 1_600);
    add("mailbox.broker.begin_ms", 300);
    assertContains("| broker load | 300 (missing in 1) | missing | missing |");
  }
}
