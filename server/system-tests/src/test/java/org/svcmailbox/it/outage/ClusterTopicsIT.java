package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.observability.GoldenMetric;
import org.svcmailbox.it.server.BrokerPair;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Two nodes change topics. A change that is answered holds at both, and both show the same cluster.
 */
@Order(1)
@Tag("nightly")
@ResourceLock(TestCluster.ONE)
class ClusterTopicsIT {
  private static final Path GOLDEN =
      Path.of(System.getProperty("basedir", "."), "..", "config/observability/metrics-cluster.txt");

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int ROUNDS = 10;

  private final PostgresServer database = PostgresServer.start();
  private final BrokerPair pair = BrokerPair.layOut("cluster-topics-pair");
  private final List<MailboxServer> servers = new ArrayList<>();

  @AfterEach
  void end() {
    servers.forEach(MailboxServer::close);
    pair.close();
    database.close();
  }

  private MailboxServer prepared(String name) {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.putAll(pair.settings());
    settings.put("MAILBOX_TOPICS_AUTO_CREATE", "false");
    MailboxServer server = MailboxServer.prepare(name, settings);
    servers.add(server);
    return server;
  }

  private static void startNode(MailboxServer server, String node) {
    server.set("MAILBOX_CLUSTER_NODE", node);
    server.set("MAILBOX_CLUSTER_URL", server.uri().toString());
    server.set("MAILBOX_CLUSTER_LEAVE_DEADLINE", "2s");
    server.restart();
  }

  @Test
  void aChangeThatIsAnsweredHoldsAtBothNodes(TestReporter reporter) throws Exception {
    pair.start();
    MailboxServer first = prepared("cluster-topics-a");
    first.restart();
    CallTarget operator = first.target();
    MailboxClient a = new MailboxClient(operator);
    assertFalse(cluster(a).path("clustered").asBoolean(true), "it is alone");
    assertEquals(0, first.terminate(), "exit code of the server that was alone");

    startNode(first, "a");
    MailboxServer second = prepared("cluster-topics-b");
    startNode(second, "b");
    MailboxClient b = new MailboxClient(new CallTarget(second.uri(), operator.token()));
    awaitShares(a, b);
    requireMetrics(a);

    revokeAndLook(a, second, reporter);
    putAndLook(a, b, reporter);
    pauseAndResume(a, b);
    requireOneOfTwoCreations(a, b);
    requireChangesOfBoth(a, b);
    Fields more = Fields.of("ready_shards", 9);
    assertEquals("not_clustered", b.putTopic("orders", more).expect(503).reason());
    deleteAndMakeAgain(a, b, reporter);

    second.kill9();
    changeWithoutTheOther(a, reporter);
    second.restart();
    Deadline.in(SOON)
        .await(() -> topic(b, "late").equals(topic(a, "late")), () -> "b lacks what a made");
    awaitShares(a, b);
  }

  private static JsonNode cluster(MailboxClient node) throws IOException {
    return node.get("/v1/cluster").expect(200).json();
  }

  /** A topic without its counts, which are those of a node's own groups. */
  private record Shown(String version, boolean isPaused, JsonNode overrides) {
    int of(String setting) {
      return overrides.path(setting).asInt(-1);
    }
  }

  private static Shown topic(MailboxClient node, String name) throws IOException {
    JsonNode topic = node.topic(name).expect(200).json();
    return new Shown(
        topic.path("version").asText(), topic.path("paused").asBoolean(), topic.path("overrides"));
  }

  /** Waits until both nodes are up, and each group is held where both say it is. */
  private static void awaitShares(MailboxClient a, MailboxClient b) {
    Deadline.in(START)
        .await(
            () -> {
              Set<String> ofA = held(a, "a");
              Set<String> ofB = held(b, "b");
              return ofA.size() == 2 && ofB.size() == 2 && states(a).equals(Set.of("up"));
            },
            () -> "the nodes do not share the groups");
  }

  private static Set<String> states(MailboxClient node) throws IOException {
    return new TreeSet<>(cluster(node).path("nodes").findValuesAsText("state"));
  }

  /** The groups that a node holds, by its own word and the map's. */
  private static Set<String> held(MailboxClient node, String name) throws IOException {
    Set<String> held = new TreeSet<>();
    StreamSupport.stream(cluster(node).path("groups").spliterator(), false)
        .filter(
            group ->
                group.path("state").asText().equals("held")
                    && group.path("wanted").asText().equals(name)
                    && group.path("holder").asText().equals(name))
        .forEach(group -> held.add(group.path("group").asText()));
    return held;
  }

  private static void requireMetrics(MailboxClient node) throws IOException {
    Scrape scrape = Scrape.of(node.get("/metrics").expect(200).text());
    Set<String> missing = new TreeSet<>();
    for (GoldenMetric metric : GoldenMetric.read(GOLDEN)) {
      missing.addAll(metric.shapes());
      assertEquals(metric.kind(), scrape.types().get(metric.name()), metric.name());
    }
    missing.removeAll(scrape.shapes());
    assertEquals(Set.of(), missing);
    assertEquals(2.0, scrape.value("cluster_nodes{state=\"up\"}"));
    assertEquals(2.0, scrape.value("cluster_groups{state=\"held\"}"));
  }

  /** The other node has believed the capability before, for thirty seconds. */
  private static void revokeAndLook(MailboxClient a, MailboxServer second, TestReporter reporter)
      throws IOException {
    Fields wanted = Fields.of("caveats", List.of("ops = peek")).with("expires_in", "1h");
    JsonNode minted = a.post("/v1/capabilities", wanted).expect(201).json();
    String token = minted.path("capability").asText();
    MailboxClient holder = new MailboxClient(new CallTarget(second.uri(), token));
    holder.get("/v1/topics").expect(200);
    long begun = System.nanoTime();
    a.post("/v1/capabilities/revoke", Fields.of("nonce", minted.path("nonce").asText()))
        .expect(200);
    Deadline.in(Duration.ofSeconds(3))
        .await(
            () -> holder.get("/v1/topics").status() == 401,
            () -> "a revoked capability counts at the other node");
    long took = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    reporter.publishEntry("a revocation counts at the other node", took + " ms");
  }

  private static void putAndLook(MailboxClient a, MailboxClient b, TestReporter reporter)
      throws IOException {
    long begun = System.nanoTime();
    a.putTopic("orders", Fields.of("ready_shards", 8).with("max_attempts", 7)).expect(201);
    long took = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    reporter.publishEntry("a new topic is at both nodes", took + " ms");
    assertEquals(topic(a, "orders"), topic(b, "orders"));
    assertEquals(7, topic(b, "orders").of("max_attempts"));
  }

  private static void pauseAndResume(MailboxClient a, MailboxClient b) throws IOException {
    b.post("/v1/topics/orders/pause", Fields.NONE).expect(200);
    assertTrue(topic(a, "orders").isPaused());
    a.post("/v1/topics/orders/resume", Fields.NONE).expect(200);
    assertFalse(topic(b, "orders").isPaused());
  }

  private static void requireOneOfTwoCreations(MailboxClient a, MailboxClient b) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String name = "rival-" + round;
      List<MailboxAnswer> answers =
          Together.run(
              List.<Callable<MailboxAnswer>>of(
                  () -> a.putTopic(name, Fields.of("max_attempts", 3)),
                  () -> b.putTopic(name, Fields.of("max_attempts", 4))));
      requireAnswers(answers);
      long created = answers.stream().filter(answer -> answer.status() == 201).count();
      assertTrue(created <= 1, name);
      assertEquals(topic(a, name), topic(b, name));
    }
  }

  private static void requireAnswers(List<MailboxAnswer> answers) {
    for (MailboxAnswer answer : answers) {
      assertTrue(
          answer.status() < 300 || answer.reason().equals("topic_changing"), answer::toString);
    }
  }

  /** Each changes a setting of its own; neither loses the other's. */
  private static void requireChangesOfBoth(MailboxClient a, MailboxClient b) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      int attempts = 10 + round;
      List<Boolean> changed =
          Together.run(
              List.<Callable<Boolean>>of(
                  () -> patched(a, Fields.of("max_attempts", attempts)),
                  () -> patched(b, Fields.of("shard_capacity", 1_000 + attempts))));
      assertEquals(List.of(true, true), changed);
      for (MailboxClient node : List.of(a, b)) {
        Shown settings = topic(node, "orders");
        assertEquals(attempts, settings.of("max_attempts"));
        assertEquals(1_000 + attempts, settings.of("shard_capacity"));
      }
    }
  }

  /** Repeats the change until it is answered, as a client may. */
  private static boolean patched(MailboxClient node, Fields settings) {
    Deadline.in(SOON)
        .await(
            () -> {
              MailboxAnswer answer = node.call("PATCH", "/v1/topics/orders", settings);
              requireAnswers(List.of(answer));
              return answer.status() < 300;
            },
            () -> "the change is not answered");
    return true;
  }

  /** Calls for the topic go on at the other node meanwhile. */
  private static void deleteAndMakeAgain(MailboxClient a, MailboxClient b, TestReporter reporter)
      throws Exception {
    for (int i = 0; i < 20; i++) {
      a.send(Fields.send("orders", "before-" + i, new byte[] {1})).expect(200);
    }
    long begun = System.nanoTime();
    List<MailboxAnswer> answers =
        Together.run(
            List.<Callable<MailboxAnswer>>of(
                () -> a.deleteTopic("orders"), () -> sendUntilRefused(b)));
    assertEquals(200, answers.get(0).status(), () -> answers.get(0).toString());
    reporter.publishEntry("a topic is deleted", since(begun));
    for (MailboxClient node : List.of(a, b)) {
      node.topic("orders").expect(404);
      assertEquals(404, node.deleteTopic("orders").status());
    }
    assertEquals("topic_changing", b.putTopic("orders", Fields.NONE).expect(503).reason());
    Fields again = Fields.of("ready_shards", 8);
    Deadline.in(SOON)
        .await(
            () -> b.putTopic("orders", again).status() == 201, () -> "the name is not free again");
    reporter.publishEntry("its name is free", since(begun));
    a.send(Fields.send("orders", "before-1", new byte[] {2})).expect(200);
    JsonNode received =
        a.post("/v1/recv", Fields.of("topic", "orders").with("max_messages", 100))
            .expect(200)
            .json()
            .path("messages");
    assertTrue(received.size() <= 1, () -> "messages of the deleted topic: " + received);
  }

  private static String since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun).toMillis() + " ms";
  }

  private static MailboxAnswer sendUntilRefused(MailboxClient node) throws IOException {
    MailboxAnswer answer;
    int sent = 0;
    do {
      answer = node.send(Fields.send("orders", "during-" + sent++, new byte[] {3}));
      assertTrue(
          answer.status() == 200 || answer.status() == 503 || answer.status() == 404,
          answer::toString);
    } while (answer.status() != 404);
    return answer;
  }

  /** Changes wait until the dead node's groups have another holder. */
  private static void changeWithoutTheOther(MailboxClient a, TestReporter reporter)
      throws IOException {
    long killed = System.nanoTime();
    Deadline.in(SOON)
        .await(
            () -> {
              MailboxAnswer answer = a.putTopic("late", Fields.of("max_attempts", 5));
              requireAnswers(List.of(answer));
              return answer.status() < 300;
            },
            () -> "no change is answered after a kill");
    long took = Duration.ofNanos(System.nanoTime() - killed).toMillis();
    reporter.publishEntry("a change after the other node was killed", took + " ms");
    assertEquals(4, held(a, "a").size());
    assertTrue(states(a).contains("dead"));
  }
}
