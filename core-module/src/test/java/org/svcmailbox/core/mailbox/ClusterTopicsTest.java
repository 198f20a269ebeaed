package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.problem.NotClusteredException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.PreconditionException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/** Changes of topics at two nodes, and what each knows of the other's. */
class ClusterTopicsTest {
  private static final TopicName ORDERS = SeveralNodes.TOPIC;
  private static final TopicName BILLS = new TopicName("bills");
  private static final int SHARDS = 8;
  private static final TopicOverrides PUT = TopicOverrides.NONE.withReadyShards(SHARDS);

  private final SeveralNodes nodes = new SeveralNodes(2, 1, 4, SHARDS);
  private final Node first = nodes.nodes.get(0);
  private final Node second = nodes.nodes.get(1);
  private final List<Long> asked = new ArrayList<>();
  private final ExecutorService pool = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  /** The topics of a node, whose changes others know after so many looks. */
  private ClusterTopics topics(Node node, int looks) {
    AtomicInteger left = new AtomicInteger(looks);
    return new ClusterTopics(
        node.mailbox.topicAdmin(),
        node.mailbox.directory(),
        version -> {
          asked.add(version);
          return left.getAndDecrement() <= 0;
        },
        endings(node, version -> true),
        nodes.time,
        () -> nodes.time.advance(Duration.ofMillis(50)));
  }

  private TopicEndings endings(Node node, LongPredicate known) {
    return new TopicEndings(node.mailbox.directory(), known, nodes.time);
  }

  /** Does what waits for workers, while they take steps. */
  private void run(Runnable work) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(work, pool);
    while (!done.isDone()) {
      nodes.run();
    }
    try {
      done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private void put(ClusterTopics at, TopicName name) {
    run(() -> at.put(SampleCallers.OPERATOR, name, PUT, Precondition.NONE));
  }

  private void follow(Node node) {
    run(node.mailbox::followTopics);
  }

  private static Topic topic(Node node, TopicName name) {
    return node.mailbox.directory().existing(name);
  }

  private static long seen(Node node) {
    return node.mailbox.groups().topicsSeen();
  }

  @Test
  void aChangeIsAnsweredOnceOthersKnowIt() {
    put(topics(first, 3), BILLS);
    long version = first.mailbox.directory().version(BILLS);
    assertEquals(List.of(version, version, version, version), asked);
    assertTrue(version > seen(second));
    follow(second);
    assertEquals(version, seen(second));
    assertEquals(topic(first, BILLS), topic(second, BILLS));
  }

  @Test
  void aChangeThatOthersDoNotKnowInTimeHasHappenedAndCanBeRepeated() {
    ClusterTopics topics = topics(first, 101);
    TopicChangingException late =
        assertThrows(TopicChangingException.class, () -> put(topics, BILLS));
    assertEquals("topic_changing", late.reason());
    assertEquals(101, asked.size(), "five seconds in steps of 50 ms");
    follow(second);
    assertEquals(topic(first, BILLS), topic(second, BILLS));
    put(topics, BILLS);
    assertTrue(asked.get(101) > asked.get(100), "a change of its own");
  }

  @Test
  void aPauseStopsTheWorkersOfTheOtherNodeBeforeItSaysSo() {
    take(second);
    assertInstanceOf(Accepted.class, second.send("k"));
    run(() -> topics(first, 0).pause(SampleCallers.OPERATOR, ORDERS));
    assertEquals(1, second.leased(1, Duration.ofMillis(300)).size(), "it does not know it yet");
    nodes.pass(Duration.ofSeconds(1));
    follow(second);
    assertEquals(first.mailbox.directory().version(ORDERS), seen(second));
    assertEquals(List.of(), second.leased(1, Duration.ofMinutes(1)));
    run(() -> topics(first, 0).resume(SampleCallers.OPERATOR, ORDERS));
    follow(second);
    assertEquals(1, second.leased(1, Duration.ofMinutes(1)).size());
  }

  @Test
  void aCallThatWaitsAtTheOtherNodeIsServedOnceThatOneKnowsOfTheResume() {
    take(second);
    assertInstanceOf(Accepted.class, second.send("k"));
    run(() -> topics(first, 0).pause(SampleCallers.OPERATOR, ORDERS));
    follow(second);
    PendingRecv call = second.submit(1, Duration.ofMinutes(1), Duration.ofSeconds(30));
    run(() -> topics(first, 0).resume(SampleCallers.OPERATOR, ORDERS));
    nodes.run();
    assertFalse(call.outcome().toCompletableFuture().isDone());
    follow(second);
    nodes.run();
    assertTrue(call.outcome().toCompletableFuture().isDone());
  }

  private void take(Node node) {
    for (int group = 0; group < 4; group++) {
      CompletableFuture<Boolean> unused = node.take(group);
      nodes.run();
    }
  }

  @Test
  void aChangeBuildsOnThatOfTheOtherNode() {
    run(() -> topics(first, 0).pause(SampleCallers.OPERATOR, ORDERS));
    run(
        () ->
            topics(second, 0)
                .change(
                    SampleCallers.OPERATOR,
                    ORDERS,
                    Precondition.NONE,
                    known -> known.withReadyShards(SHARDS)));
    assertTrue(topic(second, ORDERS).state().paused());
    assertEquals(2, topic(second, ORDERS).state().version());
    assertFalse(topic(first, ORDERS).state().version() == 2);
    follow(first);
    assertEquals(topic(second, ORDERS), topic(first, ORDERS));
  }

  @Test
  void aConditionMeetsTheRowOfTheOtherNode() {
    String before = topic(first, ORDERS).version();
    put(topics(second, 0), ORDERS);
    Precondition matches = Precondition.oneOf(Set.of(before));
    assertThrows(
        PreconditionException.class,
        () -> run(() -> topics(first, 0).put(SampleCallers.OPERATOR, ORDERS, PUT, matches)));
  }

  @Test
  void aTopicThatBothCreateIsOne() {
    put(topics(first, 0), BILLS);
    put(topics(second, 0), BILLS);
    assertEquals(topic(first, BILLS).id(), topic(second, BILLS).id());
    assertEquals(2, topic(second, BILLS).state().version(), "the second changed it");
  }

  @Test
  void anotherNumberOfShardsIsRefused() {
    assertThrows(
        NotClusteredException.class,
        () ->
            run(
                () ->
                    topics(first, 0)
                        .put(
                            SampleCallers.OPERATOR,
                            ORDERS,
                            TopicOverrides.NONE.withReadyShards(SHARDS + 1),
                            Precondition.NONE)));
    assertEquals(List.of(), asked);
    assertEquals(SHARDS, topic(first, ORDERS).settings().readyShards());
  }

  @Test
  void eightChangesWaitAtATimeAndAFurtherOneChangesNothing() {
    Phaser inside = new Phaser(1);
    Phaser over = new Phaser(1);
    ClusterTopics topics =
        new ClusterTopics(
            first.mailbox.topicAdmin(),
            first.mailbox.directory(),
            version -> over.getPhase() > 0,
            endings(first, version -> false),
            nodes.time,
            () -> {
              inside.arrive();
              over.awaitAdvance(0);
            });
    inside.bulkRegister(ClusterTopics.MOST);
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < ClusterTopics.MOST; i++) {
      TopicName name = new TopicName("t" + i);
      waiting.add(
          CompletableFuture.runAsync(
              () -> topics.put(SampleCallers.OPERATOR, name, PUT, Precondition.NONE), pool));
    }
    while (inside.getUnarrivedParties() > 1) {
      nodes.run();
    }
    assertEquals(8.0, topics.metrics().get(0).now());
    SaturatedException full = assertThrows(SaturatedException.class, () -> put(topics, BILLS));
    assertEquals("topic_changes", full.reason());
    over.arrive();
    waiting.forEach(CompletableFuture::join);
    assertEquals(0.0, topics.metrics().get(0).now());
    assertThrows(NotFoundException.class, () -> topic(first, BILLS));
    put(topics, BILLS);
  }

  /** A DELETE at the first node, of which the second one learns while it waits. */
  private void delete(LongPredicate known) {
    TopicEndings endings = endings(second, known);
    ClusterTopics topics =
        new ClusterTopics(
            first.mailbox.topicAdmin(),
            first.mailbox.directory(),
            version -> true,
            endings,
            nodes.time,
            () -> {
              nodes.time.advance(Duration.ofMillis(50));
              first.mailbox.followTopics();
              second.mailbox.followTopics();
              endings.step();
            });
    run(() -> topics.delete(SampleCallers.OPERATOR, ORDERS));
  }

  private boolean bothHaveSeen(long version) {
    return Math.min(seen(first), seen(second)) >= version;
  }

  @Test
  void aDeletedTopicIsGoneAtBothNodesAndTakesNothingMore() {
    take(second);
    assertInstanceOf(Accepted.class, second.send("k"));
    PendingRecv waiting = first.submit(1, Duration.ofMinutes(1), Duration.ofSeconds(30));
    delete(this::bothHaveSeen);
    for (Node node : nodes.nodes) {
      assertThrows(NotFoundException.class, () -> topic(node, ORDERS));
      assertEquals(List.of(), node.mailbox.directory().all());
    }
    assertEquals(Map.of(), nodes.broker.topics());
    nodes.run();
    assertTrue(waiting.outcome().toCompletableFuture().isDone());
    assertThrows(NotFoundException.class, () -> second.send("l"));
    assertThrows(
        NotFoundException.class,
        () -> run(() -> topics(second, 0).delete(SampleCallers.OPERATOR, ORDERS)));
  }

  @Test
  void aNameIsFreeTenSecondsAfterItsQueuesAreGone() {
    take(second);
    int before = topic(first, ORDERS).id();
    delete(this::bothHaveSeen);
    TopicEndings endings = endings(first, this::bothHaveSeen);
    endings.step();
    nodes.time.advance(TopicEndings.TAKEN.minusNanos(1));
    endings.step();
    TopicChangingException early =
        assertThrows(TopicChangingException.class, () -> put(topics(first, 0), ORDERS));
    assertEquals("topic_changing", early.reason());
    nodes.time.advance(Duration.ofNanos(1));
    endings.step();
    put(topics(first, 0), ORDERS);
    follow(second);
    assertTrue(topic(second, ORDERS).id() > before);
    assertInstanceOf(Accepted.class, second.send("k"));
    assertEquals(1, second.leased(10, Duration.ofMinutes(1)).size(), "the earlier one is gone");
  }

  @Test
  void queuesStayUntilEveryNodeKnowsAndTheDeletionCanBeRepeated() {
    take(second);
    assertInstanceOf(Accepted.class, second.send("k"));
    TopicChangingException late =
        assertThrows(TopicChangingException.class, () -> delete(version -> false));
    assertEquals("topic_changing", late.reason());
    assertTrue(nodes.broker.topics().containsKey(ORDERS));
    assertThrows(NotFoundException.class, () -> second.send("l"), "it takes nothing more");
    assertThrows(TopicChangingException.class, () -> put(topics(second, 0), ORDERS));
    delete(this::bothHaveSeen);
    assertEquals(Map.of(), nodes.broker.topics());
  }

  @Test
  void aDeletionWhoseNodeDiedIsFinishedByAnother() {
    take(second);
    run(() -> first.mailbox.topicAdmin().delete(SampleCallers.OPERATOR, ORDERS));
    first.die();
    TopicEndings endings = endings(second, version -> seen(second) >= version);
    run(endings::step);
    assertTrue(nodes.broker.topics().containsKey(ORDERS), "it has not seen it");
    follow(second);
    run(endings::step);
    assertEquals(Map.of(), nodes.broker.topics());
  }
}
