package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.observability.GoldenMetric;
import org.svcmailbox.it.observability.MetricsPage;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;

/** The metrics match the clients' calls. */
@ContractTest
@Isolated
class MetricsIT {
  /** Names, labels and kinds that dashboards stand on: one that is missing here breaks them. */
  private static final Path GOLDEN =
      Path.of(System.getProperty("basedir", "."), "..", "config/observability/metrics.txt");

  private final MailboxClient client;
  private final MailboxClient anonymous;

  MetricsIT(MailboxClient client) {
    this.client = client;
    this.anonymous = client.with(null);
  }

  private Scrape scrape() throws IOException {
    return Scrape.of(anonymous.get("/metrics").expect(200).text());
  }

  /** Something that is done to the service. */
  @FunctionalInterface
  private interface Deed {
    void run() throws IOException;
  }

  /** How much each counter of refusals rose with a deed. */
  private Map<String, Double> risen(Deed deed) throws IOException {
    Scrape before = scrape();
    deed.run();
    Map<String, Double> risen = new HashMap<>();
    scrape()
        .values()
        .forEach(
            (metric, value) -> {
              double more = value - before.value(metric);
              if (metric.contains("rejec") && more != 0) {
                risen.put(metric, more);
              }
            });
    return risen;
  }

  /** The values once all of these have risen: an answer may arrive before it is counted. */
  private Scrape risen(Scrape before, String... metrics) throws IOException {
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> {
              Scrape scrape = scrape();
              return Stream.of(metrics)
                  .allMatch(metric -> scrape.value(metric) > before.value(metric));
            },
            () -> "one more each of " + String.join(", ", metrics));
    return scrape();
  }

  private static Map<String, Double> refused(String reason) {
    return Map.of("rejected_total{reason=\"" + reason + "\"}", 1.0);
  }

  @Test
  void everyNameAndLabelThatDashboardsStandOnIsThere() throws IOException {
    List<GoldenMetric> golden = GoldenMetric.read(GOLDEN);
    Scrape scrape = scrape();
    TreeSet<String> missing = new TreeSet<>();
    Map<String, String> kinds = new TreeMap<>();
    for (GoldenMetric metric : golden) {
      if (metric.isOurs()) {
        missing.addAll(metric.shapes());
        kinds.put(metric.name(), metric.kind());
      } else {
        assertTrue(scrape.types().containsKey(metric.name()), metric.name());
      }
    }
    missing.removeAll(scrape.shapes());
    assertEquals(Set.of(), missing, () -> scrape.shapes().toString());
    Map<String, String> served = new TreeMap<>(scrape.types());
    served.keySet().retainAll(kinds.keySet());
    assertEquals(kinds, served);
  }

  @Test
  @OnlyOnWildFly("what is held, refused and cut is counted")
  void thePageNamesTheValuesThatAreServedAndNoOther() throws IOException {
    MetricsPage page = MetricsPage.read();
    Scrape scrape = scrape();
    Set<String> bounds = page.rows("bound");
    assertTrue(bounds.remove("amnesia_max_bytes"), "this server is not in amnesia");
    assertEquals(scrape.labels("bound_used"), bounds);
    assertEquals(scrape.labels("tasks_spawned_total"), page.rows("kind"));
    Set<String> doors = page.names("again, by endpoint:", "`listener` counts");
    assertTrue(doors.remove("other"), "told when there is something");
    assertEquals(scrape.labels("busy_rejections_total"), doors);
    assertEquals(
        scrape.labels("io_timeouts_total"),
        page.names("`io_timeouts_total` has the `op`s", "All but"));
    assertEquals(
        scrape.labels("queue_dropped_total"),
        page.names("queue turned away:", "`rejected_total` counts a"));
    assertEquals(
        scrape.labels("backoff_retries_total"),
        page.names("`backoff_retries_total` has the `op`s", "`requeue_backoff_total`"));
    assertEquals(
        scrape.labels("integrity_fail_total"),
        page.names("`integrity_fail_total` has the `reason`s", "Such a message"));
  }

  @Test
  void aMessagesWayIsMeasuredOnceAtEachStation() throws IOException {
    String topic = TestTopics.fresh("metrics");
    Scrape before = scrape();
    client.send(topic, "k", "x".getBytes(UTF_8)).expect(200);
    Message message =
        client.recv(Fields.of("topic", topic).with("wait_ms", 5000)).expect(200).message();
    client.ack(message).expect(200);
    Scrape after =
        risen(
            before,
            "enqueue_latency_seconds_count{}",
            "dequeue_latency_seconds_count{}",
            "ack_latency_seconds_count{}",
            "request_latency_seconds_count{op=\"send\"}");
    for (String name : List.of("enqueue", "dequeue", "ack")) {
      String samples = name + "_latency_seconds_";
      assertEquals(1, after.value(samples + "count{}") - before.value(samples + "count{}"), name);
      String last = samples + "bucket{le=\"+Inf\"}";
      assertEquals(1, after.value(last) - before.value(last), name);
      double seconds = after.value(samples + "sum{}") - before.value(samples + "sum{}");
      assertTrue(seconds > 0 && seconds < 5, name + " took " + seconds);
    }
  }

  @Test
  void itIsPrometheusTextForAnybody() throws IOException {
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8",
        anonymous
            .get("/metrics")
            .expect(200)
            .header("content-type")
            .orElseThrow()
            .replace(";charset", "; charset")
            .toLowerCase(Locale.ROOT));
  }

  @Test
  void oneRefusalCountsOnceWhereItBelongsAndNowhereElse() throws IOException {
    String topic = TestTopics.fresh("metrics");
    MailboxClient reader = client.with(client.mint("ops = recv"));
    assertEquals(refused("missing"), risen(() -> anonymous.recv(topic).expect(401)));
    assertEquals(refused("invalid"), risen(() -> client.with("x").recv(topic).expect(401)));
    assertEquals(
        refused("operation"),
        risen(() -> reader.send(topic, "k", "x".getBytes(UTF_8)).expect(403)));
    assertEquals(refused("schema"), risen(() -> client.post("/v1/recv", "{}").expect(400)));
    assertEquals(refused("schema"), risen(() -> client.get("/v1/send").expect(405)));
    assertEquals(Map.of(), risen(() -> client.topic(topic).expect(404)), "404 is no refusal");
    assertEquals(Map.of(), risen(() -> client.get("/v1/nothing").expect(404)));
  }

  @Test
  void aBatchCountsEachElementThatWasRefused() throws IOException {
    String allowed = TestTopics.fresh("metrics");
    String forbidden = TestTopics.fresh("metrics");
    MailboxClient narrow = client.with(client.mint("topic = " + allowed));
    List<Fields> messages =
        List.of(
            Fields.send(allowed, "a", "x".getBytes(UTF_8)),
            Fields.send(forbidden, "b", "x".getBytes(UTF_8)),
            Fields.send(forbidden, "c", "x".getBytes(UTF_8)));
    assertEquals(
        Map.of("rejected_total{reason=\"topic\"}", 2.0),
        risen(() -> narrow.sendBatch(messages).expect(200)));
  }

  @Test
  void theWorkInsideIsCounted() throws IOException {
    String topic = TestTopics.fresh("metrics");
    String waits = "tasks_spawned_total{kind=\"long_poll\"}";
    String inVain = "io_timeouts_total{op=\"recv\"}";
    Scrape before = scrape();
    client.recv(Fields.of("topic", topic).with("wait_ms", 50)).expect(200);
    Scrape after = risen(before, waits, inVain);
    assertTrue(after.value("tasks_spawned_total{kind=\"worker\"}") >= 1);
    assertTrue(after.value("tasks_spawned_total{kind=\"upkeep\"}") >= 1);
    assertEquals(1, after.value(waits) - before.value(waits));
    assertEquals(1, after.value(inVain) - before.value(inVain));
  }

  /**
   * Leases of other tests run out meanwhile, so sums over all topics are only compared from below;
   * {@code BoundsIT} has a server of its own for the exact figures.
   */
  @Test
  void boundsShowWhatIsHeld() throws IOException {
    String topic = TestTopics.fresh("metrics");
    client.send(topic, "k", "12345".getBytes(UTF_8)).expect(200);
    assertEquals(0, inflight(topic, scrape()));
    Message message =
        client.recv(Fields.of("topic", topic).with("wait_ms", 5000)).expect(200).message();
    Scrape leased = scrape();
    assertEquals(1, inflight(topic, leased));
    assertEquals(20_000, leased.value("bound_capacity{bound=\"global_inflight\"}"));
    assertTrue(leased.value("bound_used{bound=\"global_inflight\"}") >= 1);
    assertTrue(leased.value("bound_used{bound=\"global_inflight_bytes\"}") >= 5);
    assertTrue(leased.value("bound_used{bound=\"topics_max\"}") >= 1);
    assertTrue(leased.value("bound_used{bound=\"dedup_capacity\"}") >= 1);
    assertTrue(leased.value("capability_cache_size{}") >= 1);

    client.ack(message).expect(200);
    assertEquals(0, inflight(topic, scrape()));
  }

  /** How many messages of a topic are under a lease, over all its shards. */
  private static double inflight(String topic, Scrape scrape) {
    return scrape.values().entrySet().stream()
        .filter(sample -> sample.getKey().startsWith("inflight{"))
        .filter(sample -> sample.getKey().contains("topic=\"" + topic + "\""))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void ofWhatAClientGivesOnlyTheNamesOfTopicsAreInIt() throws IOException {
    String topic = TestTopics.fresh("named");
    String token = client.mint("topic = " + topic, "ops = send");
    MailboxClient narrow = client.with(token);
    Fields message = Fields.send(topic, "secret-key", "secret".getBytes(UTF_8));
    narrow.send(message.with("attrs", Map.of("secret", "secret"))).expect(200);
    narrow.recv("secret-" + topic).expect(403);
    narrow.get("/v1/secret").expect(404);
    String text = anonymous.get("/metrics").expect(200).text();
    assertTrue(text.contains(topic), topic);
    assertFalse(text.contains(token.substring(0, 20)), "a token");
    assertFalse(text.contains("secret"), "something a client gave");
  }
}
