package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of every {@link ClusterStore}; each test begins with an empty one. */
public interface ClusterStoreContract {
  int GROUPS = 4;

  NodeId A = new NodeId("a");
  NodeId B = new NodeId("b");
  Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  /** Callers at the same time. */
  int RIVALS = 6;

  /** The store, with {@link #GROUPS} groups; several threads may call it. */
  ClusterStore store();

  private static Beat first(NodeId node, long life) {
    return Beat.first(node, URI.create("http://" + node + ":8080/mail"), life);
  }

  private Beat begin(NodeId node, long life) {
    return store().begin(first(node, life), store().find(node), NOW).orElseThrow();
  }

  private static Beat next(Beat last, NodeStanding standing) {
    return last.next(last.lives(), standing);
  }

  private ClusterLook look(Beat beat) throws ReplacedException {
    return store().beat(beat);
  }

  /** Runs tasks at the same time; returns how many said yes. */
  private static long won(List<Callable<Boolean>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      long won = 0;
      for (Future<Boolean> future : threads.invokeAll(tasks)) {
        won += future.get() ? 1 : 0;
      }
      return won;
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  default void everyFieldOfABeatIsReadBack() throws ReplacedException {
    assertEquals(Optional.empty(), store().find(A));
    Beat begun = begin(A, -7);
    assertEquals(first(A, -7), begun);
    assertEquals(Optional.of(begun), store().find(A));
    Beat fit = next(begun, Standings.FIT);
    NodeStanding unfit =
        new NodeStanding(/* isLeaving= */ true, "a worker has no session", 1L << 40);
    Beat leaving = next(fit, unfit).withLives(3);
    assertEquals(List.of(fit), look(fit).beats());
    assertEquals(List.of(leaving), look(leaving).beats());
    assertEquals(Optional.of(leaving), store().find(A));
  }

  @Test
  default void aLongReasonIsShortened() throws ReplacedException {
    Beat unfit = next(begin(A, 1), new NodeStanding(false, "broker ".repeat(100), 0));
    assertEquals(255, look(unfit).beats().get(0).standing().unfit().length());
  }

  @Test
  default void aLookShowsAllNodesAndAnEmptyMapAtFirst() throws ReplacedException {
    Beat a = begin(A, 1);
    Beat b = begin(B, 2);
    ClusterLook look = look(next(a, Standings.FIT));
    assertEquals(Set.of(next(a, Standings.FIT), b), Set.copyOf(look.beats()));
    assertEquals(GroupMap.empty(GROUPS), look.map());
    assertEquals(Map.of(), look.holders());
  }

  @Test
  default void aNameIsTakenOnlyFromTheBeatThatWasFound() throws ReplacedException {
    Beat a = begin(A, 1);
    Optional<Beat> found = store().find(A);
    ClusterLook unused = look(next(a, Standings.FIT));
    assertEquals(Optional.empty(), store().begin(first(A, 2), found, NOW), "it beats");
    assertEquals(Optional.empty(), store().begin(first(A, 2), Optional.empty(), NOW));
    assertEquals(1, store().find(A).orElseThrow().life(), "nothing changed");
    assertEquals(Optional.empty(), store().begin(first(B, 2), found, NOW), "none of this name");
  }

  @Test
  default void aReplacedLifeIsToldAndRecordsNothing() {
    Beat a = begin(A, 1);
    Beat heir = begin(A, 2);
    assertThrows(ReplacedException.class, () -> look(next(a, Standings.FIT)));
    assertEquals(Optional.of(heir), store().find(A));
  }

  @Test
  default void livesWithinTenMinutesAreAChain() {
    assertEquals(1, begin(A, 1).lives());
    assertEquals(2, begin(A, 2).lives());
    Instant justWithin = NOW.plus(ClusterStep.LIVES_COUNT).minusMillis(1);
    assertEquals(3, store().begin(first(A, 3), store().find(A), justWithin).orElseThrow().lives());
    Instant over = justWithin.plus(ClusterStep.LIVES_COUNT);
    assertEquals(1, store().begin(first(A, 4), store().find(A), over).orElseThrow().lives());
  }

  @Test
  default void oneSuccessorOfEachMapIsStored() throws ReplacedException {
    GroupMap first = GroupMap.empty(GROUPS).with(Map.of(0, A, 1, A, 2, B));
    assertTrue(store().replace(first));
    assertFalse(store().replace(GroupMap.empty(GROUPS).with(Map.of(0, B))), "the second one");
    GroupMap later = new GroupMap(3, GROUPS, new TreeMap<>(Map.of(0, B)));
    assertFalse(store().replace(later), "one is missing in between");
    assertEquals(first, look(next(begin(A, 1), Standings.FIT)).map());
    GroupMap second = first.with(Map.of(0, B, 1, A, 2, B, 3, A));
    assertTrue(store().replace(second));
    assertEquals(second, look(next(begin(B, 2), Standings.FIT)).map());
  }

  @Test
  default void aHolderOfAnEarlierEpochIsNotTheNewest() throws ReplacedException {
    assertTrue(store().publish(2, A, 7));
    assertFalse(store().publish(2, B, 6), "an earlier owner");
    assertFalse(store().publish(2, B, 7), "the same entry");
    assertEquals(Map.of(2, new Holder(A, 7)), look(next(begin(A, 1), Standings.FIT)).holders());
    assertTrue(store().publish(2, B, 8));
    assertTrue(store().publish(0, A, 1));
    assertEquals(
        Map.of(0, new Holder(A, 1), 2, new Holder(B, 8)),
        look(next(begin(B, 2), Standings.FIT)).holders());
  }

  @Test
  default void aMapLeavesHoldersAloneAndHoldersTheMap() throws ReplacedException {
    assertTrue(store().publish(1, A, 5));
    GroupMap map = GroupMap.empty(GROUPS).with(Map.of(1, B));
    assertTrue(store().replace(map));
    assertFalse(store().publish(1, B, 4), "the epoch outlasts a map");
    ClusterLook look = look(next(begin(A, 1), Standings.FIT));
    assertEquals(Map.of(1, new Holder(A, 5)), look.holders());
    assertEquals(map, look.map());
  }

  @Test
  default void ofRivalsForANameOneBegins() throws Exception {
    for (int round = 0; round < 20; round++) {
      Optional<Beat> found = store().find(A);
      List<Callable<Boolean>> rivals = new ArrayList<>();
      for (int i = 0; i < RIVALS; i++) {
        long life = (long) round * RIVALS + i + 1;
        Instant at = NOW.plus(Duration.ofSeconds(i));
        rivals.add(() -> store().begin(first(A, life), found, at).isPresent());
      }
      assertEquals(1, won(rivals), "round " + round);
    }
  }

  @Test
  default void ofRivalMapsOneIsStored() throws Exception {
    GroupMap map = GroupMap.empty(GROUPS);
    for (int round = 0; round < 20; round++) {
      GroupMap before = map;
      List<Callable<Boolean>> rivals = new ArrayList<>();
      for (int i = 0; i < RIVALS; i++) {
        NodeId node = new NodeId("rival-" + i);
        GroupMap mine = before.with(Map.of(0, node, 1, node, 2, node, 3, node));
        rivals.add(() -> store().replace(mine));
      }
      assertEquals(1, won(rivals), "round " + round);
      map = look(next(begin(A, round + 1), Standings.FIT)).map();
      assertEquals(before.version() + 1, map.version());
      assertEquals(1, Set.copyOf(map.wishes().values()).size(), "the wishes are one rival's");
    }
  }

  @Test
  default void ofRivalHoldersTheNewestCounts() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<Callable<Boolean>> rivals = new ArrayList<>();
      for (int i = 0; i < RIVALS; i++) {
        long epoch = (long) round * RIVALS + i + 1;
        NodeId node = new NodeId("rival-" + i);
        rivals.add(() -> store().publish(3, node, epoch));
      }
      assertTrue(won(rivals) >= 1);
      NodeId newest = new NodeId("rival-" + (RIVALS - 1));
      Holder holder = new Holder(newest, (long) (round + 1) * RIVALS);
      assertEquals(Map.of(3, holder), look(next(begin(A, round + 1), Standings.FIT)).holders());
    }
  }
}
