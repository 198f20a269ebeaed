package org.svcmailbox.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.report.Comparison.Entrant;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ComparisonTest {
  private static final Load SINGLE = Load.closed(Work.SEND, 64, 1);
  private static final Load ALONE = Load.closed(Work.SEND, 1, 1);
  private static final Load HUNDREDS = Load.closed(Work.SEND, 64, 100);

  private final Comparison comparison =
      new Comparison(
          List.of(
              new Entrant("mailbox", "mailbox", "fsync before the answer"),
              new Entrant("elasticmq-memory", "ElasticMQ <in> memory & more", "memory only"),
              new Entrant("artemis", "Artemis", "fsync before the answer")));

  private void add(String contestant, Load load, int perSecond, double p50Millis) {
    Outcome outcome = new Outcome(2L * perSecond, 2, p50Millis, p50Millis * 2, p50Millis * 3);
    comparison.add(new Measurement(contestant, load, 1, outcome, 1, 0.5, 700));
  }

  private void addAll() {
    add("mailbox", SINGLE, 900, 4);
    add("mailbox", SINGLE, 1_200, 5);
    add("mailbox", SINGLE, 1_000, 6);
    add("elasticmq-memory", SINGLE, 750, 7);
    add("mailbox", ALONE, 10, 0.9);
    add("artemis", ALONE, 20, 0.5);
  }

  @Test
  void goalsUseRatiosOfMedians() {
    addAll();
    String goals = new ComparisonTables(comparison).goals();
    assertTrue(
        goals.contains("mailbox to ElasticMQ <in> memory & more | at least 1.30 | 1.33 | yes |"),
        goals);
    assertTrue(goals.contains("mailbox to Artemis | at most 1.50 | 1.80 | no |"), goals);
    assertEquals(4, goals.lines().count(), "a goal that was not measured has no row");
  }

  @ParameterizedTest
  @CsvSource({"rabbitmq, 1", "redis, 1", "beanstalkd, 1", "nats, 0", "servlet, 0"})
  void aNeighbourHasAGoalForEachOfTwoLoadsIfItSyncsBeforeItAnswers(String name, int goals) {
    for (Load load : List.of(SINGLE, Load.closed(Work.RECV, 64, 10))) {
      add("mailbox", load, 1_000, 4);
      add(name, load, 500, 4);
    }
    List<String> rows = new ComparisonTables(comparison).goals().lines().skip(2).toList();
    assertEquals(2 * goals, rows.size(), rows.toString());
    rows.forEach(row -> assertTrue(row.endsWith("| at least 1.00 | 2.00 | yes |"), row));
  }

  @Test
  void everyRowHasTheDurabilityAndADashForAMissingFigure() {
    addAll();
    add("artemis", HUNDREDS, 50_000, 1);
    List<String> rows =
        new ComparisonTables(comparison)
            .loads()
            .lines()
            .filter(line -> line.startsWith("| mailbox") || line.startsWith("| Elastic"))
            .toList();
    assertEquals(
        "| mailbox | fsync before the answer | 1,000 | 5.00 | 10.00 | 15.00 | 500 | 250 | 700 |",
        rows.get(0));
    assertEquals(
        "| ElasticMQ <in> memory & more | memory only | - | - | - | - | - | - | - |", rows.get(5));
  }

  @Test
  void thePlotIsXmlWithABarForEachRate() throws Exception {
    addAll();
    add("mailbox", Load.atRate(1_000), 1_000, 1);
    String svg = new ComparisonChart(comparison).svg();
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    // One is the background; a load at a fixed rate has no bar.
    assertEquals(1 + 4, document.getElementsByTagName("rect").getLength());
    assertFalse(svg.contains("<script"));
  }

  @Test
  void thePageHasEverythingInItsPlace(@TempDir Path directory) throws Exception {
    addAll();
    comparison.addHeap("mailbox", 123);
    ComparisonReport report = new ComparisonReport(comparison, Map.of("cores", "2"));
    report.writeDocs(directory);
    String page = Files.readString(directory.resolve("PERFORMANCE.md"));
    assertTrue(page.contains("| cores | 2 |"), page);
    assertTrue(page.contains("(performance.svg)"), page);
    assertTrue(page.contains("| mailbox | fsync before the answer | 123 |"), page);
    assertFalse(page.contains("{"), page);
    assertTrue(Files.exists(directory.resolve("performance.svg")));
  }

  @Test
  void everyValueIsInTheJson(@TempDir Path directory) throws Exception {
    addAll();
    new ComparisonReport(comparison, Map.of("cores", "2")).write(directory);
    String json = Files.readString(directory.resolve("compare.json"));
    assertEquals(7, json.split("\"cpuSeconds\"", -1).length);
    assertTrue(json.contains("\"durability\" : \"memory only\""), json);
  }
}
