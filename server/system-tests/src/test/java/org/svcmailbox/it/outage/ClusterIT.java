package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.drill.ClusterLoad;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Two servers share PostgreSQL and a pair of brokers, and each takes any call. One is killed under
 * load, comes back, is stopped and goes on, and the other one leaves. Nothing answered is lost or
 * doubled. It prints how long calls took meanwhile.
 */
@Order(1)
@Tag("nightly")
@ResourceLock(TestCluster.ONE)
class ClusterIT {
  private static final String TOPIC = "orders";
  private static final String PROBES = "probes";
  private static final String COST = "cost";
  private static final int SHARDS = 16;
  private static final int GROUPS = 4;
  private static final List<String> BOTH = List.of("a", "b");

  /** As many keys hit every group. */
  private static final int SAMPLES = 48;

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LOAD = Duration.ofSeconds(5);

  private final TestCluster cluster = new TestCluster("cluster", GROUPS);

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void anyNodeTakesAnyCallWhateverHappensToTheOther(TestReporter reporter) throws Exception {
    cluster.begin("a", ClusterIT::makeTopics);
    cluster.awaitHolders(Map.of("a", GROUPS));
    MailboxServer first = cluster.server("a");
    MailboxServer second = cluster.start("b");
    MailboxClient a = cluster.client("a");
    MailboxClient b = cluster.client("b");
    cluster.awaitShares(BOTH);
    requireRefusals(a);
    requireNoSecondOfOneName();
    requireAnyCallAnywhere(a, b);

    ForwardingCost cost = new ForwardingCost(COST);
    double forwarded = cost.micros(a, List.of(first, second));
    ClusterLoad load = new ClusterLoad(List.of(a, b));
    try (SendProbe probe = SendProbe.start(a, PROBES, GROUPS)) {
      load.start(LOAD);
      Set<Integer> lost = cluster.groupsOf("b");
      long killed = System.nanoTime();
      load.crash(second::kill9);
      long gone = System.nanoTime();
      tell(
          reporter,
          "first SEND of a lost group after kill -9",
          killed,
          probe.firstAnswer(gone, lost));
      cluster.awaitHolders(Map.of("a", GROUPS));
      load.work(LOAD);
      reporter.publishEntry("refusals after kill -9", probe.refusals().toString());
      load.assertNothingLostOrDoubled(a);
      reporter.publishEntry("calls of the load", Integer.toString(load.calls()));
    } finally {
      load.stop();
    }
    double alone = cost.micros(a, List.of(first));

    Map<String, String> accepted = new HashMap<>();
    planned(
        reporter,
        "a node that joins",
        a,
        accepted,
        () -> {
          second.restart();
          cluster.awaitShares(BOTH);
        });
    forwarded = (forwarded + cost.micros(a, List.of(first, second))) / 2;
    reporter.publishEntry(
        "CPU of a message",
        "two nodes, all clients at one: %.0f us; one node: %.0f us; ratio %.2f"
            .formatted(forwarded, alone, forwarded / alone));
    try (SendProbe probe = SendProbe.start(a, PROBES, GROUPS)) {
      Set<Integer> lost = cluster.groupsOf("b");
      long stopped = System.nanoTime();
      second.freeze();
      tell(
          reporter,
          "first SEND of a lost group after SIGSTOP",
          stopped,
          probe.firstAnswer(System.nanoTime(), lost));
      cluster.awaitHolders(Map.of("a", GROUPS));
      second.thaw();
      cluster.awaitShares(BOTH);
      probe.await(50);
      reporter.publishEntry("refusals after SIGSTOP", probe.refusals().toString());
      accepted.putAll(probe.accepted());
    }
    planned(
        reporter,
        "a node that leaves",
        b,
        accepted,
        () -> {
          assertEquals(0, first.terminate(), "exit code of a node that leaves");
          cluster.awaitHolders(Map.of("b", GROUPS));
        });
    requireTaken(b, accepted);
    requireDeliveredOnce(b, accepted);
  }

  private interface Change {
    void happen() throws Exception;
  }

  /** A change that is planned: no SEND is refused meanwhile, and none takes long. */
  private static void planned(
      TestReporter reporter,
      String what,
      MailboxClient node,
      Map<String, String> accepted,
      Change change)
      throws Exception {
    try (SendProbe probe = SendProbe.start(node, PROBES, GROUPS)) {
      long begun = System.nanoTime();
      change.happen();
      probe.await(50);
      reporter.publishEntry("slowest SEND, " + what, probe.slowest(begun).toMillis() + " ms");
      assertEquals(Map.of(), probe.refusals(), what);
      accepted.putAll(probe.accepted());
    }
  }

  private static void tell(TestReporter reporter, String what, long from, long to) {
    reporter.publishEntry(what, Duration.ofNanos(to - from).toMillis() + " ms");
  }

  /** A message that one node took is received, extended, returned and acknowledged at any other. */
  private static void requireAnyCallAnywhere(MailboxClient a, MailboxClient b) throws IOException {
    Map<String, String> ids = new HashMap<>();
    for (int i = 0; i < SAMPLES; i++) {
      String key = "sample-" + i;
      byte[] payload = key.getBytes(StandardCharsets.UTF_8);
      MailboxClient node = i % 2 == 0 ? a : b;
      MailboxClient other = i % 2 == 0 ? b : a;
      String id = node.send(TOPIC, key, payload).expect(200).msgId();
      MailboxAnswer again = other.send(TOPIC, key, payload).expect(200);
      assertTrue(again.duplicate(), key);
      assertEquals(id, again.msgId(), key);
      ids.put(key, id);
    }
    List<Fields> batch =
        IntStream.range(0, SAMPLES)
            .mapToObj(i -> Fields.send(TOPIC, "batch-" + i, new byte[] {1}))
            .toList();
    Set<String> batched = new HashSet<>();
    a.sendBatch(batch)
        .expect(200)
        .results()
        .forEach(one -> batched.add(one.path("msg_id").asText()));
    assertEquals(SAMPLES, batched.size());

    Fields one = Fields.of("topic", TOPIC).with("wait_ms", 20_000).with("visibility_ms", 60_000);
    for (int i = 0; i < SAMPLES; i++) {
      MailboxClient node = i % 2 == 0 ? a : b;
      MailboxClient other = i % 2 == 0 ? b : a;
      Message message = node.recvAll(one, 1).get(0);
      assertTrue(message.isIntact());
      other.extend(message, Duration.ofMinutes(2)).expect(200);
      other.nack(message, Fields.of("delay_ms", 0).with("reason", "again")).expect(200);
      assertEquals(410, node.ack(message).status(), "its lease is over");
    }
    Set<String> received = new HashSet<>();
    while (received.size() < 2 * SAMPLES) {
      MailboxClient node = received.size() % 3 == 0 ? a : b;
      List<Message> some = node.recvAll(one.with("max_messages", 7), 1);
      some.forEach(message -> assertTrue(received.add(message.msgId()), "twice"));
      MailboxAnswer acked = (received.size() % 2 == 0 ? a : b).ackBatch(some).expect(200);
      acked
          .results()
          .forEach(result -> assertTrue(result.path("ok").asBoolean(), result::toString));
    }
    batched.addAll(ids.values());
    assertEquals(batched, received);
    Fields more = Fields.of("topic", TOPIC);
    assertEquals(List.of(), a.recv(more).expect(200).messages());
    assertEquals(List.of(), b.recv(more).expect(200).messages());
  }

  /** Each key that was answered is a duplicate now, with the same message. */
  private static void requireTaken(MailboxClient node, Map<String, String> accepted)
      throws IOException {
    for (Map.Entry<String, String> one : accepted.entrySet()) {
      MailboxAnswer again = node.send(PROBES, one.getKey(), new byte[100]).expect(200);
      assertTrue(again.duplicate(), one::toString);
      assertEquals(one.getValue(), again.msgId(), one::toString);
    }
  }

  /** Every message of the probes comes once, with its key's id. */
  private static void requireDeliveredOnce(MailboxClient node, Map<String, String> accepted)
      throws IOException {
    Map<String, String> delivered = new HashMap<>();
    Deadline deadline = Deadline.in(SOON);
    while (!delivered.keySet().containsAll(accepted.keySet()) && !deadline.isOver()) {
      List<Message> some =
          node.recv(Fields.of("topic", PROBES).with("max_messages", 100)).expect(200).messages();
      some.forEach(one -> assertEquals(null, delivered.put(one.idemKey(), one.msgId()), "twice"));
      if (!some.isEmpty()) {
        node.ackBatch(some).expect(200);
      }
    }
    accepted.forEach((key, id) -> assertEquals(id, delivered.get(key), key));
  }

  /** A shard key is taken if it leads to the key's own group, which is so for one in four. */
  private static void requireRefusals(MailboxClient node) throws IOException {
    Fields more = Fields.of("ready_shards", SHARDS + 1);
    assertEquals("not_clustered", node.putTopic(TOPIC, more).expect(503).reason());
    int taken = 0;
    for (int i = 0; i < SAMPLES; i++) {
      Fields sticky = Fields.send(COST, "sticky-" + i, new byte[1]).with("shard_key", "k");
      MailboxAnswer answer = node.send(sticky);
      if (answer.status() == 503) {
        assertEquals("not_clustered", answer.reason());
      } else {
        answer.expect(200);
        taken++;
      }
    }
    assertTrue(taken > 0 && taken < SAMPLES, taken + " taken");
    assertEquals(taken, drained(node, COST));
  }

  private static int drained(MailboxClient node, String topic) throws IOException {
    int messages = 0;
    List<Message> some = List.of();
    Deadline deadline = Deadline.in(SOON);
    do {
      some = node.recv(Fields.of("topic", topic).with("max_messages", 100)).expect(200).messages();
      for (Message one : some) {
        node.ack(one).expect(200);
      }
      messages += some.size();
    } while (!deadline.isOver() && !some.isEmpty());
    return messages;
  }

  private void requireNoSecondOfOneName() {
    MailboxServer namesake = cluster.launchSecond("a");
    assertEquals(78, namesake.awaitEnd(), "exit code");
    assertTrue(
        namesake.outputLines().stream().anyMatch(line -> line.contains("has the name a")),
        () -> String.join("\n", namesake.outputLines()));
    assertFalse(namesake.isAlive());
  }

  private static void makeTopics(MailboxClient alone) throws IOException {
    for (String topic : List.of(TOPIC, PROBES, COST)) {
      Fields settings = Fields.of("ready_shards", SHARDS).with("max_attempts", 1_000);
      alone.putTopic(topic, settings).expect(201);
    }
    ClusterLoad.makeTopics(alone);
  }
}
