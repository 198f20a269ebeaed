package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.ProxyProcess;
import org.svcmailbox.it.server.ProxyProcess.Kind;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Nodes behind HAProxy are restarted one after the other under load. No call is refused, none takes
 * long, and leases go on.
 */
@Order(1)
@Tag("nightly")
@ResourceLock(TestCluster.ONE)
class RollingRestartIT {
  private static final List<String> NODES = List.of("a", "b", "c");
  private static final int GROUPS = 6;
  private static final int SHARDS = 12;
  private static final String TOPIC = "orders";
  private static final String HELD = "held";
  private static final int LEASES = 60;

  /** The aim is 1 s, for a machine that runs nothing else. */
  private static final Duration SLOWEST =
      Duration.ofMillis(Integer.getInteger("rolling.slowest.ms", 5_000));

  private static final Duration SOON = Duration.ofMinutes(3);

  private static final String CONFIGURATION =
      """
      defaults
        mode http
        timeout connect 1s
        timeout client 60s
        timeout server 60s
        option redispatch
        retry-on conn-failure
        default-server check inter 500ms fall 1 rise 1
      frontend front
        bind 127.0.0.1:%d
        default_backend mailbox
      backend mailbox
        option httpchk GET /readyz
        http-request deny if { path_beg /v1/peer/ }
      %s
      """;

  private final TestCluster cluster = new TestCluster("rolling", GROUPS);

  @TempDir private Path directory;

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void everyCallIsServedWhileEachNodeRestarts(TestReporter reporter) throws Exception {
    cluster.begin(
        "a",
        alone -> {
          for (String topic : List.of(TOPIC, HELD)) {
            alone.putTopic(topic, Fields.of("ready_shards", SHARDS)).expect(201);
          }
        });
    NODES.stream().skip(1).forEach(cluster::start);
    cluster.awaitShares(NODES);
    try (ProxyProcess proxy = ProxyProcess.start(Kind.HAPROXY, directory, this::configuration)) {
      URI front = URI.create("http://127.0.0.1:" + proxy.port());
      CallTarget operator = cluster.client("a").target();
      restartAll(new MailboxClient(new CallTarget(front, operator.token().get())), reporter);
    }
  }

  private String configuration(int port) {
    String servers =
        NODES.stream()
            .map(node -> "  server " + node + " " + cluster.server(node).uri().getAuthority())
            .collect(Collectors.joining("\n"));
    return CONFIGURATION.formatted(port, servers);
  }

  private void restartAll(MailboxClient front, TestReporter reporter) throws Exception {
    List<Message> held = held(front);
    Consumer consumer = new Consumer(front);
    Thread consuming = new Thread(consumer, "consumer");
    consuming.start();
    long begun = System.nanoTime();
    SendProbe probe = SendProbe.start(front, TOPIC, GROUPS);
    try (probe) {
      for (String node : NODES) {
        assertEquals(0, cluster.server(node).terminate(), node);
        probe.await(50);
        extend(front, held);
        cluster.server(node).restart();
        cluster.awaitShares(NODES);
        probe.await(50);
        extend(front, held);
      }
    }
    Map<String, String> accepted = probe.accepted();
    reporter.publishEntry("SENDs", Integer.toString(accepted.size()));
    reporter.publishEntry("slowest SEND", probe.slowest(begun).toMillis() + " ms");
    assertEquals(Map.of(), probe.refusals());
    assertTrue(probe.slowest(begun).compareTo(SLOWEST) < 0, probe.slowest(begun)::toString);
    Deadline.in(SOON)
        .await(
            () -> consumer.acknowledged.size() == accepted.size(),
            () -> consumer.acknowledged.size() + " of " + accepted.size());
    consumer.isOver = true;
    consuming.join(SOON.toMillis());
    assertEquals(List.of(), List.copyOf(consumer.surprises));
    assertEquals(accepted, consumer.acknowledged);
    reporter.publishEntry("slowest ACK", consumer.slowest.toMillis() + " ms");
    assertTrue(consumer.slowest.compareTo(SLOWEST) < 0, consumer.slowest::toString);
    for (Message message : held) {
      front.ack(message).expect(200);
    }
    assertEquals(List.of(), front.recv(HELD).expect(200).messages());
  }

  /** Leases of every group, which last longer than the test. */
  private static List<Message> held(MailboxClient front) throws IOException {
    for (int i = 0; i < LEASES; i++) {
      front.send(HELD, "held-" + i, new byte[100]).expect(200);
    }
    Fields all =
        Fields.of("topic", HELD)
            .with("max_messages", LEASES)
            .with("wait_ms", 10_000)
            .with("visibility_ms", Duration.ofHours(1).toMillis());
    List<Message> held = front.recvAll(all, LEASES);
    Set<String> ids = new HashSet<>();
    held.forEach(message -> ids.add(message.msgId()));
    assertEquals(LEASES, ids.size());
    return held;
  }

  private static void extend(MailboxClient front, List<Message> held) throws IOException {
    for (Message message : held) {
      front.extend(message, Duration.ofHours(1)).expect(200);
    }
  }

  /** Receives and acknowledges, and notes what should not be. */
  private static final class Consumer implements Runnable {
    private final MailboxClient front;
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private volatile Duration slowest = Duration.ZERO;
    private volatile boolean isOver;

    Consumer(MailboxClient front) {
      this.front = front;
    }

    @Override
    public void run() {
      Fields some =
          Fields.of("topic", TOPIC)
              .with("max_messages", 100)
              .with("wait_ms", 1_000)
              .with("visibility_ms", 60_000);
      while (!isOver) {
        try {
          receive(some);
        } catch (IOException e) {
          surprises.add(e.toString());
        }
      }
    }

    private void receive(Fields some) throws IOException {
      MailboxAnswer answer = front.recv(some);
      if (answer.status() != 200) {
        surprises.add("RECV: " + answer.text());
        return;
      }
      List<Message> messages = answer.messages();
      if (messages.isEmpty()) {
        return;
      }
      long begun = System.nanoTime();
      MailboxAnswer acked = front.ackBatch(messages);
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      slowest = took.compareTo(slowest) > 0 ? took : slowest;
      if (acked.status() != 200) {
        surprises.add("ACK: " + acked.text());
        return;
      }
      for (int i = 0; i < messages.size(); i++) {
        note(messages.get(i), acked.results().get(i));
      }
    }

    private void note(Message message, JsonNode acked) {
      if (!acked.path("ok").asBoolean()) {
        surprises.add("ACK: " + acked);
      }
      String before = acknowledged.put(message.idemKey(), message.msgId());
      if (before != null) {
        surprises.add("twice: " + message.idemKey());
      }
    }
  }
}
