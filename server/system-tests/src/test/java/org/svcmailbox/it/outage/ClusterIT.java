package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.BrokerPair;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Two servers share PostgreSQL and a pair of brokers. Each serves its groups and refuses the
 * others. One is killed under load, and the other then serves all. Nothing answered is lost or
 * doubled.
 */
@Order(1)
@Tag("nightly")
class ClusterIT {
  private static final String TOPIC = "orders";
  private static final int SHARDS = 16;

  /** As many keys hit every group. */
  private static final int SAMPLES = 48;

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofSeconds(60);

  private final PostgresServer database = PostgresServer.start();
  private final BrokerPair pair = BrokerPair.layOut("cluster-pair");
  private final List<MailboxServer> servers = new ArrayList<>();

  /** By key, the message that an answer named. */
  private final Map<String, String> answered = new ConcurrentHashMap<>();

  /** The acknowledged message of each key. */
  private final Map<String, String> acknowledged = new HashMap<>();

  private final AtomicInteger keys = new AtomicInteger();

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
    settings.put("MAILBOX_T_REPLAY", "10m");
    MailboxServer server = MailboxServer.prepare(name, settings);
    servers.add(server);
    return server;
  }

  private static void makeNode(MailboxServer server, String node) {
    server.set("MAILBOX_CLUSTER_NODE", node);
    server.set("MAILBOX_CLUSTER_URL", server.uri().toString());
  }

  @Test
  void theOtherNodeServesAllWhenOneIsKilled(TestReporter reporter) throws Exception {
    pair.start();
    MailboxServer first = prepared("cluster-a");
    first.restart();
    CallTarget operator = first.target();
    new MailboxClient(operator).putTopic(TOPIC, Fields.of("ready_shards", SHARDS)).expect(201);
    assertEquals(0, first.terminate(), "exit code of the server that was alone");

    makeNode(first, "a");
    first.restart();
    MailboxClient a = new MailboxClient(operator);
    awaitAll(List.of(a));
    MailboxServer second = prepared("cluster-b");
    makeNode(second, "b");
    second.restart();
    MailboxClient b = new MailboxClient(new CallTarget(second.uri(), operator.token()));
    awaitShares(a, b);

    requireRefusals(a);
    requireNoSecondOfOneName();
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> load = CompletableFuture.runAsync(() -> sendUntil(isOver, a, b));
    Deadline.in(SOON).await(() -> keys.get() > 100, () -> "too few SENDs before the kill");

    second.kill9();
    long killed = System.nanoTime();
    awaitAll(List.of(a));
    isOver.set(true);
    load.join();
    long took = Duration.ofNanos(System.nanoTime() - killed).toMillis();
    reporter.publishEntry("all groups at the other node after a kill", took + " ms");
    requireTaken(List.of(a));
    requireDeliveredOnce(List.of(a));

    second.restart();
    awaitShares(a, b);
    requireTaken(List.of(a, b));
    assertEquals(0, first.terminate(), "exit code of a node that leaves");
    awaitAll(List.of(b));
    requireTaken(List.of(b));
    requireDeliveredOnce(List.of(b));
  }

  /** Waits until every sample is accepted, each at the node that serves its group. */
  private void awaitAll(List<MailboxClient> nodes) {
    Deadline.in(START).await(() -> accepted(nodes).size() == SAMPLES, () -> "no node serves all");
  }

  /** Waits until all samples are accepted and each node has accepted some. */
  private void awaitShares(MailboxClient a, MailboxClient b) {
    Deadline.in(START)
        .await(
            () -> {
              int ofA = accepted(List.of(a)).size();
              int ofB = accepted(List.of(b)).size();
              return ofA > SAMPLES / 4 && ofB > SAMPLES / 4 && ofA + ofB == SAMPLES;
            },
            () -> "the nodes do not share the groups");
  }

  /** The samples that one of the nodes accepts; the others must say why not. */
  private Set<String> accepted(List<MailboxClient> nodes) {
    Set<String> accepted = new HashSet<>();
    for (int i = 0; i < SAMPLES; i++) {
      String key = "sample-" + i;
      for (MailboxClient node : nodes) {
        if (send(node, key)) {
          accepted.add(key);
        }
      }
    }
    return accepted;
  }

  private boolean send(MailboxClient node, String key) {
    try {
      MailboxAnswer answer = node.send(TOPIC, key, key.getBytes(StandardCharsets.UTF_8));
      if (answer.status() == 503) {
        return false;
      }
      String id = answer.expect(200).msgId();
      String before = answered.putIfAbsent(key, id);
      assertTrue(before == null || before.equals(id), () -> "two messages of " + key);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void sendUntil(AtomicBoolean isOver, MailboxClient a, MailboxClient b) {
    while (!isOver.get()) {
      sendAnywhere(List.of(a, b));
    }
  }

  private void sendAnywhere(List<MailboxClient> nodes) {
    String key = "key-" + keys.getAndIncrement();
    Deadline.in(SOON)
        .await(
            () -> nodes.stream().anyMatch(node -> send(node, key)), () -> "no node takes " + key);
  }

  /** Each key that was answered is a duplicate now, with the same message. */
  private void requireTaken(List<MailboxClient> nodes) {
    for (String key : answered.keySet()) {
      Deadline.in(SOON)
          .await(
              () -> nodes.stream().anyMatch(node -> send(node, key)), () -> "no node has " + key);
    }
  }

  /** Every answered message that is not acknowledged yet comes once, and is acknowledged. */
  private void requireDeliveredOnce(List<MailboxClient> nodes) throws IOException {
    Deadline.in(SOON)
        .await(
            () -> {
              for (MailboxClient node : nodes) {
                receive(node);
              }
              return acknowledged.keySet().containsAll(answered.keySet());
            },
            () -> answered.size() + " answered, acknowledged " + acknowledged.size());
    answered.forEach((key, id) -> assertEquals(id, acknowledged.get(key), key));
  }

  private void receive(MailboxClient node) throws IOException {
    MailboxAnswer answer = node.recv(Fields.of("topic", TOPIC).with("max_messages", 50));
    for (Message message : answer.expect(200).messages()) {
      node.ack(message).expect(200);
      String before = acknowledged.put(message.idemKey(), message.msgId());
      assertEquals(null, before, () -> "a second message, or after its ACK: " + message.idemKey());
    }
  }

  private static void requireRefusals(MailboxClient node) throws IOException {
    node.putTopic("another", Fields.of("ready_shards", 1)).expect(503);
    node.deleteTopic(TOPIC).expect(503);
    MailboxAnswer sticky =
        node.send(
            Fields.of("topic", TOPIC)
                .with("idem_key", "s")
                .with("payload", "")
                .with("shard_key", "k"));
    assertEquals("not_clustered", sticky.expect(503).reason());
  }

  private void requireNoSecondOfOneName() {
    MailboxServer namesake = prepared("cluster-namesake");
    makeNode(namesake, "a");
    namesake.launch();
    assertEquals(78, namesake.awaitEnd(), "exit code");
    assertTrue(
        namesake.outputLines().stream().anyMatch(line -> line.contains("has the name a")),
        () -> String.join("\n", namesake.outputLines()));
    assertFalse(namesake.isAlive());
  }
}
