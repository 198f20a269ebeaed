package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

/** How a node joins, counts its lives and takes its share. */
class ClusterStepTest {
  private static final URI URL = URI.create("http://node:8080");
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");
  private static final Duration PACE = Duration.ofMillis(500);

  private final TestTime time = new TestTime();
  private final InMemoryClusterStore store = new InMemoryClusterStore(4);
  private long epoch;

  private ClusterStep step(NodeId node, long life) {
    return new ClusterStep(node, URL, 4, life, store, time, time);
  }

  /** One step of each, then half a second. */
  private void turns(int count, ClusterStep... steps) throws ReplacedException {
    for (int turn = 0; turn < count; turn++) {
      for (ClusterStep step : steps) {
        step.next(Standings.FIT);
      }
      time.advance(PACE);
    }
  }

  @Test
  void aNewNodeJoinsAtOnceAndTakesAllGroupsAfterItsTrial() throws ReplacedException {
    ClusterStep only = step(A, 1);
    turns(1, only);
    assertTrue(only.hasJoined());
    turns(10, only);
    assertEquals(Set.of(), only.wishes());
    turns(1, only);
    assertEquals(Set.of(0, 1, 2, 3), only.wishes());
  }

  @Test
  void twoNodesHaveHalfEach() throws ReplacedException {
    ClusterStep a = step(A, 1);
    ClusterStep b = step(B, 2);
    turns(12, a, b);
    assertEquals(Set.of(0, 1, 2, 3), a.wishes(), "the first one has all");
    publish(A, a);
    turns(2, a, b);
    assertEquals(1, b.wishes().size(), "one moves at a time");
    publish(B, b);
    turns(2, a, b);
    assertEquals(2, a.wishes().size());
    assertEquals(2, b.wishes().size());
  }

  private void publish(NodeId node, ClusterStep step) {
    epoch++;
    step.wishes().forEach(group -> assertTrue(store.publish(group, node, epoch)));
  }

  @Test
  void ofTwoPlansTheFirstOneCounts() throws ReplacedException {
    ClusterStep a = step(A, 1);
    turns(11, a);
    GroupMap others = GroupMap.empty(4).with(Map.of(0, A, 1, B, 2, B, 3, B));
    store.beforeNextReplace(others);
    turns(1, a);
    assertEquals(others, store.map());
    assertEquals(Set.of(), a.wishes(), "its own plan does not count");
  }

  @Test
  void aNameThatIsInUseIsRefused() throws ReplacedException {
    ClusterStep first = step(A, 1);
    turns(3, first);
    ClusterStep second = step(A, 2);
    second.next(Standings.FIT);
    first.next(Standings.FIT);
    ReplacedException refused =
        assertThrows(ReplacedException.class, () -> second.next(Standings.FIT));
    assertEquals(
        "Another process has the name a now; each node needs a name of its own",
        refused.getMessage());
    assertFalse(second.hasJoined());
    turns(1, first);
  }

  @Test
  void aSilentNameIsTakenAfterASecondAndItsProcessEnds() throws ReplacedException {
    ClusterStep paused = step(A, 1);
    turns(3, paused);
    ClusterStep next = step(A, 2);
    turns(2, next);
    assertFalse(next.hasJoined(), "a second has not passed");
    turns(1, next);
    assertTrue(next.hasJoined());
    assertThrows(ReplacedException.class, () -> paused.next(Standings.FIT));
  }

  @Test
  void ofTwoProcessesThatStartWithOneNameOneJoins() throws ReplacedException {
    ClusterStep dead = step(A, 1);
    turns(2, dead);
    ClusterStep one = step(A, 2);
    ClusterStep other = step(A, 3);
    turns(2, one, other);
    one.next(Standings.FIT);
    assertThrows(ReplacedException.class, () -> other.next(Standings.FIT));
    assertTrue(one.hasJoined());
  }

  @Test
  void aBeginWhoseAnswerIsLostBeganAllTheSame() throws ReplacedException {
    ClusterStep unlucky = step(A, 1);
    store.loseNextAnswer();
    assertThrows(UnavailableException.class, () -> unlucky.next(Standings.FIT));
    assertFalse(unlucky.hasJoined());
    unlucky.next(Standings.FIT);
    assertTrue(unlucky.hasJoined());
    assertEquals(1, store.find(A).orElseThrow().lives());
  }

  @Test
  void aRestartWithinTenMinutesCountsUntilTheNodeHasLivedForTen() throws ReplacedException {
    turns(1, step(A, 1));
    time.advance(Duration.ofMinutes(9));
    ClusterStep second = step(A, 2);
    turns(4, second);
    assertEquals(2, store.find(A).orElseThrow().lives());
    time.advance(Duration.ofMinutes(10));
    turns(1, second);
    assertEquals(1, store.find(A).orElseThrow().lives());
    ClusterStep third = step(A, 3);
    turns(4, third);
    assertEquals(1, store.find(A).orElseThrow().lives(), "begun more than ten minutes later");
  }

  @Test
  void nothingIsJudgedWhileTheDatabaseIsAway() throws ReplacedException {
    ClusterStep a = step(A, 1);
    ClusterStep b = step(B, 2);
    turns(13, a, b);
    GroupMap before = store.map();
    store.away(true);
    for (int turn = 0; turn < 40; turn++) {
      assertThrows(UnavailableException.class, () -> a.next(Standings.FIT));
      time.advance(PACE);
    }
    store.away(false);
    turns(9, a);
    assertEquals(before, store.map(), "b is dead, and a has its trial again");
    turns(3, a);
    assertEquals(Set.of(0, 1, 2, 3), a.wishes());
  }

  @Test
  void aNodeThatLeavesGivesItsGroups() throws ReplacedException {
    ClusterStep a = step(A, 1);
    ClusterStep b = step(B, 2);
    turns(13, a, b);
    b.next(Standings.LEAVING);
    turns(1, a);
    assertEquals(Set.of(0, 1, 2, 3), a.wishes());
    b.next(Standings.LEAVING);
    assertEquals(Set.of(), b.wishes());
  }
}
