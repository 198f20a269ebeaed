package org.svcmailbox.it.observability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.observability.Promtool.Result;

/** Alerts and dashboard are what Prometheus and Grafana take, and stand on metrics that exist. */
class ObservabilityIT {
  private static final Logger LOG = System.getLogger(ObservabilityIT.class.getName());
  private static final Path DIRECTORY =
      Path.of(System.getProperty("basedir", "."), "..", "config/observability");
  private static final Path RULES = DIRECTORY.resolve("prometheus-alerts.yaml");
  private static final Path SCRAPE = DIRECTORY.resolve("prometheus-scrape.yaml");
  private static final Path RULE_TESTS = DIRECTORY.resolve("prometheus-alerts-test.yaml");
  private static final Path DASHBOARD = DIRECTORY.resolve("grafana-dashboard.json");

  /** On the server that the alert is about; DocumentsTest follows each. */
  private static final String RUNBOOK =
      "http://\\{\\{ \\$labels\\.instance }}/console/docs/OPERATIONS\\.html#[a-z-]+";

  /** Metrics that Prometheus itself adds for each target. */
  private static final Set<String> OF_PROMETHEUS = Set.of("up");

  @TempDir private Path directory;

  private static JsonNode yaml(Path file) throws IOException {
    return new YAMLMapper().readTree(file.toFile());
  }

  private static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private static List<JsonNode> alerts() throws IOException {
    return each(yaml(RULES).path("groups")).flatMap(group -> each(group.path("rules"))).toList();
  }

  private static List<String> panelQueries() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile()).path("panels").findValuesAsText("expr");
  }

  private static Set<String> known() throws IOException {
    Set<String> known = new HashSet<>(OF_PROMETHEUS);
    listed().forEach(metric -> known.addAll(metric.names()));
    return known;
  }

  /** Also those that only a node of a cluster serves. */
  private static List<GoldenMetric> listed() throws IOException {
    List<GoldenMetric> listed =
        new ArrayList<>(GoldenMetric.read(DIRECTORY.resolve("metrics.txt")));
    listed.addAll(GoldenMetric.read(DIRECTORY.resolve("metrics-cluster.txt")));
    return listed;
  }

  private static Set<String> unknown(Stream<String> expressions) throws IOException {
    Set<String> unknown =
        expressions
            .flatMap(expression -> PromQl.metrics(expression).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    unknown.removeAll(known());
    return unknown;
  }

  @Test
  void theMetricsOfAnExpressionAreFound() {
    assertEquals(
        Set.of("a_total", "b_bucket", "c"),
        PromQl.metrics(
            "sum by (x, y) (rate(a_total{l=~\"d|{e}\"}[5m])) / on (z) b_bucket > 1e3 unless c"));
  }

  @Test
  void everyAlertStandsOnMetricsThatExist() throws IOException {
    assertEquals(Set.of(), unknown(alerts().stream().map(rule -> rule.path("expr").asText())));
  }

  @Test
  void everyPanelStandsOnMetricsThatExist() throws IOException {
    assertEquals(Set.of(), unknown(panelQueries().stream()));
  }

  /** Names such as {@code inflight} are also other programs'. */
  @Test
  void everySelectorNamesTheJob() throws IOException {
    String ours = "\\w+\\{job=\"mailbox\"[^}]*}";
    for (JsonNode rule : alerts()) {
      String expression = rule.path("expr").asText();
      assertEquals(Set.of(), PromQl.metrics(expression.replaceAll(ours, "1")), expression);
      assertFalse(expression.matches("(?s).*\\bby \\((?!job, ).*"), expression);
    }
    String chosen = "\\w+\\{job=~\"\\$job\"[^}]*}";
    for (String query : panelQueries()) {
      assertEquals(Set.of(), PromQl.metrics(query.replaceAll(chosen, "1")), query);
    }
  }

  @Test
  void everyMetricThatIsListedIsOnTheDashboard() throws IOException {
    Set<String> shown = new TreeSet<>();
    panelQueries().forEach(query -> shown.addAll(PromQl.metrics(query)));
    for (GoldenMetric metric : listed()) {
      assertTrue(metric.names().stream().anyMatch(shown::contains), metric.name());
    }
  }

  @Test
  void everyAlertSaysHowBadItIsAndWhatToDo() throws IOException {
    Set<String> names = new HashSet<>();
    for (JsonNode rule : alerts()) {
      String name = rule.path("alert").asText();
      assertTrue(names.add(name) && name.startsWith("Mailbox"), name);
      assertTrue(rule.path("labels").path("severity").asText().matches("warning|critical"), name);
      assertFalse(rule.path("annotations").path("summary").asText().isEmpty(), name);
      String runbook = rule.path("annotations").path("runbook_url").asText();
      assertTrue(runbook.matches(RUNBOOK), name);
    }
  }

  @Test
  void everyAlertIsTestedToFireAndNotToFire() throws IOException {
    Map<String, Set<Boolean>> tested = new HashMap<>();
    each(yaml(RULE_TESTS).path("tests"))
        .flatMap(test -> each(test.path("alert_rule_test")))
        .forEach(
            test ->
                tested
                    .computeIfAbsent(test.path("alertname").asText(), name -> new HashSet<>())
                    .add(test.path("exp_alerts").isEmpty()));
    Map<String, Set<Boolean>> both = new HashMap<>();
    alerts().forEach(rule -> both.put(rule.path("alert").asText(), Set.of(true, false)));
    assertEquals(both, tested);
  }

  @Test
  void prometheusTakesTheAlertsAndTheyFireWhenTheyShould() throws Exception {
    Optional<Promtool> promtool = Promtool.find();
    if (promtool.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "promtool is neither on the path nor to be had from Debian: the alerts were parsed and"
              + " their metrics checked, their expressions and unit tests were not run");
      return;
    }
    Result checked = promtool.get().run("check", "rules", RULES.toString());
    assertEquals(0, checked.status(), checked.output());
    Result tested = promtool.get().run("test", "rules", RULE_TESTS.toString());
    assertEquals(0, tested.status(), tested.output());
    Result others = promtool.get().run("test", "rules", ofAnotherJob().toString());
    assertEquals(0, others.status(), others.output());
    Result scraped = promtool.get().run("check", "config", SCRAPE.toString());
    assertEquals(0, scraped.status(), scraped.output());
  }

  @Test
  void theJobThatIsScrapedIsTheOneThatAlertsAsk() throws IOException {
    JsonNode job = yaml(SCRAPE).at("/scrape_configs/0");
    assertEquals("mailbox", job.path("job_name").asText());
    assertEquals("/metrics", job.path("metrics_path").asText());
  }

  /** The same tests with the series of another program, which must fire nothing. */
  private Path ofAnotherJob() throws IOException {
    ObjectNode tests = (ObjectNode) yaml(RULE_TESTS);
    tests.putArray("rule_files").add(RULES.toAbsolutePath().toString());
    for (JsonNode test : tests.path("tests")) {
      for (JsonNode series : test.path("input_series")) {
        String ours = series.path("series").asText();
        String theirs = ours.replace("job=\"mailbox\"", "job=\"other\"");
        assertNotEquals(ours, theirs);
        ((ObjectNode) series).put("series", theirs);
      }
      for (JsonNode expected : test.path("alert_rule_test")) {
        ((ObjectNode) expected).putArray("exp_alerts");
      }
    }
    Path file = directory.resolve("another-job.yaml");
    new YAMLMapper().writeValue(file.toFile(), tests);
    return file;
  }

  @Test
  void theDashboardAsksTheDataSourceThatIsChosen() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    assertTrue(dashboard.path("schemaVersion").asInt() >= 39);
    assertEquals(
        "datasource", dashboard.path("templating").path("list").path(0).path("type").asText());
    Set<String> sources = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    Set<String> rows = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertTrue(ids.add(panel.path("id").asInt()), panel.path("title").asText());
      if (panel.path("type").asText().equals("row")) {
        rows.add(panel.path("title").asText());
      } else {
        assertFalse(panel.path("targets").isEmpty(), panel.path("title").asText());
        sources.add(panel.path("datasource").path("uid").asText());
        sources.addAll(panel.path("targets").findValuesAsText("uid"));
      }
    }
    assertEquals(Set.of("${datasource}"), sources);
    assertEquals(
        Set.of(
            "Overview",
            "Latency",
            "Queues",
            "Refusals",
            "Dead letters",
            "Bounds",
            "Cluster",
            "JVM"),
        rows);
  }
}
