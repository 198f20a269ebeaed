package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.svcmailbox.core.route.CountsLogTest.ready;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.TopicFigures;

class PeerCountsTest {
  private static final NodeId B = new NodeId("b");
  private static final NodeId C = new NodeId("c");
  private static final TopicName ORDERS = new TopicName("orders");
  private static final TopicName BILLS = new TopicName("bills");

  private final TestTime time = new TestTime();
  private final PeerCounts counts = new PeerCounts(6, () -> Set.of(0, 1), time);

  @BeforeEach
  void bothLive() {
    counts.retain(List.of(B, C));
  }

  private static CountsAnswer answer(
      long life, long version, boolean isLast, Set<Integer> groups, TopicName topic, long ready) {
    return new CountsAnswer(life, version, isLast, groups, List.of(new Told(topic, ready(ready))));
  }

  private void told(NodeId node, int group, long ready) {
    counts.told(node, answer(1, 1, true, Set.of(group, group + 1), ORDERS, ready));
  }

  private void pass(Duration by) {
    time.advance(by);
  }

  @Test
  void theCountsOfAllNodesAddUp() {
    told(B, 2, 5);
    pass(Duration.ofMillis(300));
    told(C, 4, 7);
    assertEquals(12, counts.of(ORDERS).ready());
    assertEquals(TopicFigures.NONE, counts.of(BILLS));
    assertEquals(new CountedNodes(3, List.of(), 0, 300), counts.counted());
  }

  @Test
  void aNodeThatHasNotAnsweredIsNamed() {
    told(B, 2, 5);
    assertEquals(5, counts.of(ORDERS).ready());
    assertEquals(new CountedNodes(2, List.of("c"), 2, 0), counts.counted());
  }

  @Test
  void countsAreLeftOutThreeSecondsAfterTheyWereTold() {
    told(B, 2, 5);
    told(C, 4, 7);
    pass(PeerCounts.FRESH);
    assertEquals(new CountedNodes(3, List.of(), 0, 3_000), counts.counted());
    told(C, 4, 7);
    pass(Duration.ofNanos(1));
    assertEquals(7, counts.of(ORDERS).ready());
    assertEquals(new CountedNodes(2, List.of("b"), 2, 0), counts.counted());
    assertEquals(List.of(3.000000001, 1e-9), counts.metrics().stream().map(Metric::now).toList());
  }

  @Test
  void aDeadNodeIsForgottenAndItsGroupsAreMissing() {
    told(B, 2, 5);
    told(C, 4, 7);
    counts.retain(List.of(C));
    told(B, 2, 5);
    assertEquals(7, counts.of(ORDERS).ready());
    assertEquals(new CountedNodes(2, List.of(), 2, 0), counts.counted());
    assertEquals(CountsQuestion.ALL, counts.question(B));
  }

  @Test
  void aGroupThatTwoNodesServeIsNotMissingTwice() {
    told(B, 1, 5);
    told(C, 4, 7);
    assertEquals(1, counts.counted().missingGroups());
  }

  @Test
  void theNextQuestionIsForWhatChangedSince() {
    counts.told(B, answer(9, 4, false, Set.of(2), ORDERS, 5));
    assertEquals(new CountsQuestion(9, 4), counts.question(B));
    assertEquals(0, counts.of(ORDERS).ready(), "the first answers are not all");
    counts.told(B, answer(9, 6, true, Set.of(2), BILLS, 1));
    assertEquals(5, counts.of(ORDERS).ready());
    assertEquals(1, counts.of(BILLS).ready());
    counts.told(B, answer(9, 7, true, Set.of(2), ORDERS, 0));
    assertEquals(0, counts.of(ORDERS).ready());
    assertEquals(1, counts.of(BILLS).ready());
  }

  @Test
  void aNodeThatBeganAgainHasTheCountsOfItsNewLife() {
    told(B, 2, 5);
    counts.told(B, answer(2, 1, true, Set.of(2), BILLS, 1));
    assertEquals(0, counts.of(ORDERS).ready());
    assertEquals(1, counts.of(BILLS).ready());
  }
}
