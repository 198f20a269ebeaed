package org.svcmailbox.core.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.cluster.PeerProbe.Answer;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

/** How a node obeys the map, and when it gives all groups away by itself. */
class MapFollowerTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");
  private static final int GROUPS = 4;

  private final TestTime time = new TestTime();
  private final InMemoryClusterStore store = new InMemoryClusterStore(GROUPS);
  private final ServedGroups groups = new ServedGroups();
  private final ClusterStep step = step(A, 1);
  private Answer answer = Answer.NONE;
  private int asked;

  private final MapFollower follower =
      new MapFollower(
          A,
          step,
          store,
          groups,
          peer -> {
            asked++;
            return answer;
          },
          time);

  private ClusterStep step(NodeId node, long life) {
    return new ClusterStep(
        node, URI.create("http://" + node + ":8080"), GROUPS, life, store, time, time);
  }

  private void turns(int count, ClusterStep... others) throws ReplacedException {
    for (int i = 0; i < count; i++) {
      for (ClusterStep other : others) {
        other.next(Standings.FIT);
      }
      follower.turn();
      time.advance(MapFollower.EVERY);
    }
  }

  private void failingTurns(int count) {
    for (int i = 0; i < count; i++) {
      assertThrows(UnavailableException.class, follower::turn);
      time.advance(MapFollower.EVERY);
    }
  }

  @Test
  void aNodeTakesWhatTheMapGivesItAndSaysSo() throws ReplacedException {
    turns(14);
    assertEquals(Set.of(0, 1, 2, 3), groups.wanted());
    assertEquals(Map.of(0, A, 1, A, 2, A, 3, A), store.holders());
    assertEquals(4, follower.takeovers().count(TakeoverWatch.Kind.CRASH));
    assertEquals("", follower.trouble());
  }

  @Test
  void aNodeGivesAwayWhatTheMapGivesAnother() throws ReplacedException {
    ClusterStep b = step(B, 2);
    turns(14);
    turns(14, b);
    assertEquals(step.wishes(), groups.wanted());
    assertTrue(groups.wanted().size() < GROUPS, "another node has a share");
  }

  /** The heir reads the map in between, and waits for the log when it becomes free. */
  @Test
  void aGroupIsGivenAwayOneTurnAfterTheMapSaysSo() throws ReplacedException {
    turns(14);
    ClusterStep b = step(B, 2);
    Set<Integer> before = groups.wanted();
    while (step.wishes().equals(before)) {
      assertEquals(before, groups.wanted());
      turns(1, b);
    }
    assertEquals(before, groups.wanted(), "the turn that finds the map");
    turns(1, b);
    assertEquals(step.wishes(), groups.wanted());
  }

  @Test
  void aGroupThatTheMapGivesBackIsNotGivenAway() throws ReplacedException {
    turns(14);
    ClusterStep b = step(B, 2);
    turns(14, b);
    int mine = groups.wanted().iterator().next();
    Set<Integer> others = new TreeSet<>(Set.of(0, 1, 2, 3));
    others.removeAll(groups.wanted());
    int other = others.iterator().next();
    long epoch = requireNonNull(groups.served().get(mine));
    for (int i = 0; i < 3; i++) {
      wish(Map.of(mine, B, other, A));
      turns(1, b);
      assertFalse(step.wishes().contains(mine));
      wish(Map.of(mine, A, other, B));
      turns(1, b);
    }
    assertEquals(epoch, groups.served().get(mine));
  }

  private void wish(Map<Integer, NodeId> changed) {
    GroupMap map = step.view().map();
    Map<Integer, NodeId> wishes = new HashMap<>(map.wishes());
    wishes.putAll(changed);
    assertTrue(store.replace(map.with(wishes)));
  }

  @Test
  void aGroupWhoseLogIsNotFreeIsNotPublished() throws ReplacedException {
    groups.hasLogs = false;
    turns(14);
    assertEquals(Set.of(0, 1, 2, 3), groups.wanted());
    assertEquals(Map.of(), store.holders());
    groups.served.put(2, 9L);
    turns(1);
    assertEquals(Map.of(2, A), store.holders());
  }

  @Test
  void aNodeSaysAgainWhatTheDatabaseForgot() throws ReplacedException {
    turns(14);
    assertTrue(store.publish(1, B, 0x1000));
    groups.served.put(1, 0x2000L);
    turns(1);
    assertEquals(A, store.holders().get(1));
  }

  @Test
  void aFormerHolderDoesNotReplaceTheHeir() throws ReplacedException {
    turns(14);
    assertTrue(store.publish(1, B, 0x1000));
    turns(3);
    assertEquals(B, store.holders().get(1));
  }

  @Test
  void aNodeThatIsAloneKeepsItsGroupsWithoutTheDatabase() throws ReplacedException {
    turns(14);
    store.away(true);
    failingTurns(60);
    assertEquals(Set.of(0, 1, 2, 3), groups.wanted());
    assertFalse(follower.isCutOff());
  }

  @Test
  void nodesThatLackTheDatabaseTogetherKeepTheirGroups() throws ReplacedException {
    turns(14);
    turns(14, step(B, 2));
    Set<Integer> before = groups.wanted();
    store.away(true);
    answer = Answer.DATABASE_AWAY;
    failingTurns(60);
    assertEquals(before, groups.wanted());
    assertFalse(follower.isCutOff());
    assertTrue(asked > 0);
  }

  @Test
  void aNodeThatReachesNeitherDatabaseNorPeersGivesAllAway() throws ReplacedException {
    turns(14);
    turns(14, step(B, 2));
    store.away(true);
    failingTurns(9);
    assertEquals(0, asked, "not before five seconds");
    assertFalse(groups.wanted().isEmpty());
    failingTurns(2);
    assertEquals(Set.of(), groups.wanted());
    assertTrue(follower.isCutOff());
    assertEquals("the node is cut off from the database", follower.trouble());
  }

  @Test
  void aNodeThatOnlyItsPeersSeeTheDatabaseOfGivesAllAway() throws ReplacedException {
    turns(14);
    turns(14, step(B, 2));
    store.away(true);
    answer = Answer.DATABASE_UP;
    failingTurns(11);
    assertEquals(Set.of(), groups.wanted());
    store.away(false);
    turns(1);
    assertFalse(follower.isCutOff());
    assertEquals(step.wishes(), groups.wanted(), "the map gives them back");
  }

  @Test
  void aNodeThatLeavesKeepsServingUntilAnotherTakes() throws ReplacedException {
    turns(14);
    follower.leave();
    turns(4);
    assertEquals(Set.of(0, 1, 2, 3), groups.wanted(), "no other node is there");
    assertTrue(follower.hasLeft(), "waiting for one would help nobody");
    assertEquals("the node leaves the cluster", follower.trouble());
  }

  @Test
  void aNodeHasLeftOnceOthersHaveItsGroups() throws ReplacedException {
    ClusterStep b = step(B, 2);
    turns(14);
    turns(14, b);
    follower.leave();
    assertFalse(follower.hasLeft());
    turns(4, b);
    assertEquals(Set.of(), groups.wanted());
    assertTrue(follower.hasLeft());
  }

  @Test
  void aMemberNamesDeadNodesAndGroupsThatItCannotHave() throws ReplacedException {
    turns(14, step(B, 2));
    assertEquals("", follower.remarks());
    groups.closed = 1;
    turns(10);
    assertEquals(Set.of(0, 1, 2, 3), step.wishes());
    assertEquals(
        "node b is dead; group 1 is closed: the broker has no log of this group",
        follower.remarks());
    assertEquals("", follower.trouble(), "it is a member all the same");
  }

  @Test
  void aGroupThatAnotherNodeShouldHaveIsNoTroubleHere() throws ReplacedException {
    turns(14);
    turns(14, step(B, 2));
    Set<Integer> others = new TreeSet<>(Set.of(0, 1, 2, 3));
    others.removeAll(step.wishes());
    groups.closed = others.iterator().next();
    assertEquals(GroupHere.State.AWAY, follower.here(groups.closed).state());
    assertEquals("", follower.remarks());
  }
}
