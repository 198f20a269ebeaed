package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.route.CountsCodec;
import org.svcmailbox.core.route.CountsExchange;
import org.svcmailbox.core.route.CountsLog;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.core.route.PeerCounts;
import org.svcmailbox.core.route.PeerTransport.NotSentException;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicOverrides;

/** The counts that each of three nodes shows of a topic, whose groups they share. */
class ClusterCountsTest {
  private static final int NODES = 3;
  private static final int GROUPS = 6;
  private static final int KEYS = 30;
  private static final TopicOverrides ONE_LETTER =
      new TopicOverrides(
          12,
          null,
          null,
          null,
          null,
          null,
          null,
          new RetentionOverrides(null, null, null, null, null, 1));

  private final SeveralNodes nodes = new SeveralNodes(NODES, 1, GROUPS, 12);
  private final List<CountsLog> logs = new ArrayList<>();
  private final List<CountsExchange> exchanges = new ArrayList<>();

  /** A node that nobody reaches; -1 for none. */
  private int cutOff = -1;

  @BeforeEach
  void begin() {
    for (int number = 0; number < NODES; number++) {
      Mailbox mailbox = nodes.nodes.get(number).mailbox;
      logs.add(mailbox.countsLog(number + 1));
      exchanges.add(
          new CountsExchange(owners(number), this::ask, mailbox.peerCounts(), nodes.time));
    }
    for (int group = 0; group < GROUPS; group++) {
      CompletableFuture<Boolean> unused = nodes.nodes.get(group % NODES).take(group);
      nodes.run();
    }
    for (int i = 0; i < KEYS; i++) {
      int group = nodes.slot("k" + i) % GROUPS;
      assertInstanceOf(Accepted.class, nodes.nodes.get(group % NODES).send("k" + i));
    }
  }

  private static InMemoryOwners owners(int self) {
    List<NodeView> peers = new ArrayList<>();
    for (int other = 0; other < NODES; other++) {
      if (other != self) {
        peers.add(new NodeView(new NodeId("n" + other), URI.create("http://n" + other), true));
      }
    }
    return new InMemoryOwners(new NodeId("n" + self), GROUPS, peers);
  }

  private CompletionStage<byte[]> ask(URI peer, byte[] question) {
    int number = Integer.parseInt(peer.getHost().substring(1));
    try {
      return number == cutOff
          ? CompletableFuture.failedFuture(new NotSentException("cut off"))
          : CompletableFuture.completedFuture(
              CountsCodec.encode(logs.get(number).answer(CountsCodec.question(question))));
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  private void exchange() {
    nodes.pass(PeerCounts.EVERY);
    exchanges.forEach(CountsExchange::tick);
  }

  private Overview list(int number) {
    return nodes.nodes.get(number).mailbox.topicAdmin().list(SampleCallers.OPERATOR, topic());
  }

  private TopicGlance glance(int number) {
    return list(number).topics().get(0);
  }

  private TopicStatus status(int number) {
    return nodes.nodes.get(number).mailbox.topicAdmin().status(SampleCallers.OPERATOR, topic());
  }

  private static TopicName topic() {
    return SeveralNodes.TOPIC;
  }

  private long own(int number) {
    return logs.get(number).answer(CountsQuestion.ALL).changed().stream()
        .mapToLong(told -> told.figures().ready())
        .sum();
  }

  @Test
  void anyNodeShowsTheMessagesOfAll() {
    assertEquals(KEYS, own(0) + own(1) + own(2));
    exchange();
    for (int number = 0; number < NODES; number++) {
      assertEquals(KEYS, glance(number).ready());
      assertEquals(KEYS, list(number).totals().ready());
      assertEquals(new CountedNodes(NODES, List.of(), 0, 0), list(number).counted());
    }
  }

  @Test
  void leasesOfOtherNodesAreNotReady() {
    int leased = 0;
    for (Node node : nodes.nodes) {
      leased += node.leased(3, Duration.ofMinutes(10)).size();
    }
    exchange();
    for (int number = 0; number < NODES; number++) {
      assertEquals(leased, status(number).inflight());
      assertEquals(KEYS - leased, status(number).ready());
      assertEquals(leased, glance(number).inflight());
      assertEquals(KEYS - leased, glance(number).ready());
      assertEquals(NODES, requireNonNull(status(number).counted()).nodes());
    }
  }

  @Test
  void aNodeThatTellsNothingIsNamedAndLeftOut() {
    exchange();
    cutOff = 2;
    for (int i = 0; i < 4; i++) {
      exchange();
    }
    assertEquals(KEYS - own(2), glance(0).ready());
    CountedNodes counted = requireNonNull(list(0).counted());
    assertEquals(List.of("n2"), counted.silent());
    assertEquals(GROUPS / NODES, counted.missingGroups());
    assertEquals(KEYS, glance(2).ready(), "it reaches the others");
  }

  @Test
  void messagesOfAGroupThatMovedAreCountedOnce() {
    exchange();
    CompletableFuture<Void> unused = nodes.nodes.get(2).giveAway(2);
    nodes.run();
    CompletableFuture<Boolean> unusedToo = nodes.nodes.get(0).take(2);
    nodes.run();
    exchange();
    for (int number = 0; number < NODES; number++) {
      assertEquals(KEYS, glance(number).ready());
      assertEquals(0, requireNonNull(list(number).counted()).missingGroups());
    }
  }

  private double letters(int number) {
    return nodes.nodes.get(number).mailbox.metrics().stream()
        .filter(metric -> metric.family() == Family.DLQ_DEPTH)
        .mapToDouble(Metric::now)
        .sum();
  }

  private void reject(Node node, int messages) {
    node.leased(messages, Duration.ofMinutes(10))
        .forEach(
            one ->
                node.settle(
                    new SettleRequest.Reject(
                        one.message().envelope().msgId(), one.receipt(), "bad")));
  }

  /** Does what waits for workers, while they take steps. */
  private void run(Runnable work) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(work);
    while (!done.isDone()) {
      nodes.run();
    }
    done.join();
  }

  /** Each node would otherwise remove as many as are too many. */
  @Test
  void oneNodeTrimsTheDeadLetters() {
    Mailbox leader = nodes.nodes.get(0).mailbox;
    run(
        () ->
            leader
                .topicAdmin()
                .change(SampleCallers.OPERATOR, topic(), Precondition.NONE, known -> ONE_LETTER));
    run(nodes.nodes.get(1).mailbox::followTopics);
    reject(nodes.nodes.get(1), 3);
    nodes.nodes.get(1).mailbox.queues().step();
    assertEquals(3, nodes.broker.deadLetters(topic()));
    exchange();
    leader.queues().step();
    assertEquals(1, nodes.broker.deadLetters(topic()));
  }

  @Test
  void deadLettersOfOneNodeAreSeenByAllAndToldByOneInMetrics() {
    reject(nodes.nodes.get(1), 2);
    for (int i = 0; i < 2; i++) {
      nodes.nodes.forEach(one -> one.mailbox.queues().step());
      exchange();
    }
    for (int number = 0; number < NODES; number++) {
      assertEquals(2, glance(number).dlq());
      assertEquals(number == 0 ? 2 : 0, letters(number), "of node " + number);
    }
  }
}
