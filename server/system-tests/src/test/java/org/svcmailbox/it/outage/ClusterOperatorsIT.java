package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

/** An operator sees and administers a topic at any of three nodes that share its groups. */
@Order(1)
@Tag("nightly")
@ResourceLock(TestCluster.ONE)
class ClusterOperatorsIT {
  private static final List<String> NODES = List.of("a", "b", "c");
  private static final int GROUPS = 6;
  private static final int SHARDS = 12;
  private static final int MESSAGES = 60;
  private static final int LEASES = 9;
  private static final int LATER = 6;
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String ORDERS = "/v1/topics/orders";

  private final TestCluster cluster = new TestCluster("operators", GROUPS);

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void anyNodeShowsAndAdministersTheWhole(TestReporter reporter) throws Exception {
    cluster.begin(
        "a", alone -> alone.putTopic("orders", Fields.of("ready_shards", SHARDS)).expect(201));
    NODES.stream().skip(1).forEach(cluster::start);
    cluster.awaitShares(NODES);
    send();
    for (String node : NODES) {
      awaitCounts(node, MESSAGES, 0);
    }
    lease();
    for (String node : NODES) {
      awaitCounts(node, MESSAGES - LEASES, LEASES);
      requireContents(cluster.client(node));
      requireLedgers(cluster.client(node));
    }
    endLeases();
    cancel();
    kill(reporter);
    purge();
  }

  private void send() throws IOException {
    MailboxClient b = cluster.client("b");
    for (int i = 0; i < MESSAGES; i++) {
      b.send("orders", "k" + i, ("m" + i).getBytes(StandardCharsets.UTF_8)).expect(200);
    }
  }

  private void lease() throws IOException {
    int leased = 0;
    while (leased < LEASES) {
      Fields request =
          Fields.of("topic", "orders")
              .with("max_messages", LEASES - leased)
              .with("visibility_ms", 600_000);
      leased += cluster.client("c").recv(request).expect(200).messages().size();
    }
  }

  /** Waits until the list and the topic agree. */
  private void awaitCounts(String node, int ready, int inflight) {
    MailboxClient client = cluster.client(node);
    String wanted = ready + " ready, " + inflight + " in flight";
    Deadline.in(SOON)
        .await(
            () ->
                counts(client.get(ORDERS).expect(200).json()).equals(wanted)
                    && counts(glance(client)).equals(wanted),
            () -> node + " never shows " + wanted);
  }

  private static JsonNode glance(MailboxClient client) throws IOException {
    JsonNode page = client.get("/v1/topics?q=orders").expect(200).json();
    JsonNode counted = page.path("counted");
    return counted.path("nodes").asInt() == NODES.size()
            && counted.path("silent").isEmpty()
            && counted.path("missing_groups").asInt(-1) == 0
        ? page.path("topics").path(0)
        : page.path("nothing");
  }

  private static String counts(JsonNode topic) {
    return topic.path("ready").asInt(-1)
        + " ready, "
        + topic.path("inflight").asInt(-1)
        + " in flight";
  }

  private static void requireContents(MailboxClient client) throws IOException {
    JsonNode peeked = client.get(ORDERS + "/peek?limit=100").expect(200).json().path("messages");
    assertEquals(
        MESSAGES - LEASES, Set.copyOf(peeked.findValuesAsText("msg_id")).size(), "at rest");
    JsonNode leases = client.get(ORDERS + "/leases?limit=100").expect(200).json().path("leases");
    assertEquals(LEASES, Set.copyOf(leases.findValuesAsText("msg_id")).size());
  }

  private static void requireLedgers(MailboxClient client) throws IOException {
    int entries = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      JsonNode ledger = client.get(ORDERS + "/ledger?shard=" + shard).expect(200).json();
      int read = ledger.path("entries").size();
      assertEquals(read, client.verify("orders", shard).path("intact_up_to").asInt(-1));
      entries += read;
    }
    assertEquals(MESSAGES, entries);
  }

  private void endLeases() throws IOException {
    Fields all = Fields.of("all", true).with("note", "they are stuck");
    JsonNode ended = cluster.client("a").post(ORDERS + "/leases/end", all).expect(200).json();
    assertEquals(LEASES, ended.path("ended").asInt(-1), ended::toString);
    awaitCounts("b", MESSAGES, 0);
  }

  private void cancel() throws IOException {
    for (int i = 0; i < LATER; i++) {
      Fields later =
          Fields.send("orders", "later-" + i, new byte[] {1}).with("delay_ms", 3_600_000);
      cluster.client("a").send(later).expect(200);
    }
    Set<String> ids = scheduled("b");
    assertEquals(LATER, ids.size());
    for (String id : ids) {
      cluster
          .client("c")
          .call("DELETE", ORDERS + "/scheduled/" + id, BodyPublishers.noBody())
          .expect(200);
    }
    assertEquals(Set.of(), scheduled("a"));
  }

  private Set<String> scheduled(String node) throws IOException {
    JsonNode page = cluster.client(node).get(ORDERS + "/scheduled?limit=100").expect(200).json();
    return new TreeSet<>(page.path("messages").findValuesAsText("msg_id"));
  }

  /** Nothing partial looks whole, until the other nodes have the groups of the dead one. */
  private void kill(TestReporter reporter) throws IOException {
    long killed = System.nanoTime();
    cluster.server("c").kill9();
    MailboxClient a = cluster.client("a");
    boolean[] wasIncomplete = {false};
    Deadline.in(SOON)
        .await(
            () -> {
              JsonNode page = a.get("/v1/topics?q=orders").expect(200).json();
              JsonNode counted = page.path("counted");
              boolean isWhole =
                  counted.path("silent").isEmpty() && counted.path("missing_groups").asInt() == 0;
              wasIncomplete[0] |= !isWhole;
              return isWhole
                  && counted.path("nodes").asInt() == 2
                  && page.path("topics").path(0).path("ready").asInt() == MESSAGES;
            },
            () -> "a never shows the whole again");
    assertTrue(wasIncomplete[0], "counts without the dead node's groups");
    reporter.publishEntry(
        "whole counts after a kill",
        Duration.ofNanos(System.nanoTime() - killed).toMillis() + " ms");
  }

  private void purge() throws IOException {
    JsonNode purged = cluster.client("b").post(ORDERS + "/purge", Fields.NONE).expect(200).json();
    assertEquals(MESSAGES, purged.path("purged").asInt(-1));
    JsonNode peeked =
        cluster.client("a").get(ORDERS + "/peek?limit=100").expect(200).json().path("messages");
    assertTrue(peeked.isArray());
    assertFalse(peeked.elements().hasNext());
  }
}
