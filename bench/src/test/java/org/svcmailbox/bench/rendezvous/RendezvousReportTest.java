package org.svcmailbox.bench.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.options.Options;

class RendezvousReportTest {
  private final RendezvousPeer peer = RendezvousPeers.all().get(0);
  private final Figures figures = new Figures();

  private String report(List<RendezvousPeer> peers) {
    return new RendezvousReport(Map.of(), figures, peers, Options.parse()).markdown();
  }

  private void ratio(double ratio) {
    figures.add(peer.names().ours(), 1_000 * ratio);
    figures.add(peer.names().theirs(), 1_000);
    figures.add(peer.names().ratio(), ratio);
  }

  @Test
  void theMedianOfTheRoundsCounts() {
    List.of(0.1, 0.6, 9.0).forEach(this::ratio);
    String report = report(List.of(peer));
    assertTrue(
        report.contains("| empty servlet | 600 | 1,000 | 0.60 | 0.60 | yes | 0.10, 0.60, 9.00 |"),
        report);
  }

  @Test
  void aGoalThatIsMissedIsShown() {
    ratio(0.59);
    String report = report(List.of(peer));
    assertTrue(report.contains("| 0.59 | 0.60 | no |"), report);
  }

  @Test
  void memoryEqualToTheGoalReachesIt() {
    figures.add("mailboxes.kib", 3_072);
    figures.add("waiters.plain.kib", 163_841);
    String report = report(List.of());
    assertTrue(report.contains("10,000 idle mailboxes | 3.00 | at most 3 | yes |"), report);
    assertTrue(report.contains("10,000 waiters | 160.00 | at most 160 | no |"), report);
    assertFalse(report.contains("TLS"), report);
  }

  @Test
  void theRatioOfSendsIsTakenInEachRound() {
    for (double open : List.of(98.0, 96.0, 50.0)) {
      figures.add(RendezvousReport.OPEN + ".send.per_second", open);
      figures.add(RendezvousReport.CLOSED + ".send.per_second", open == 50 ? 50 : 100);
    }
    String report = report(List.of());
    assertTrue(report.contains("(0.98, 0.96, 1.00) | 0.98 | at least 0.97 | yes |"), report);
  }

  @Test
  void noTwoMailboxesAreTheSame() {
    assertEquals(
        "/v1/mailbox/" + "0".repeat(30) + "01" + "0".repeat(30) + "10",
        RendezvousPeer.mailbox(1, 16));
  }

  @Test
  void thePageHasTheTables() throws Exception {
    ratio(1);
    RendezvousReport report =
        new RendezvousReport(Map.of(), figures, List.of(peer), Options.parse());
    assertTrue(report.document().contains(report.markdown()), report.document());
  }
}
