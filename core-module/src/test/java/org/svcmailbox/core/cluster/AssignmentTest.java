package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.envelope.MsgId;

/** Maps of groups, planned step by step. A map is written as one letter for each group. */
class AssignmentTest {
  private static final char NOBODY = '-';
  private static final int MOST_STEPS = 2_000;

  /**
   * Members are letters: a capital takes and keeps, a small one keeps only, and one that is missing
   * keeps nothing.
   */
  @ParameterizedTest
  @CsvSource({
    // before, members, shares after: largest first
    "----, A, 4",
    "----, AB, 2 2",
    "-----, ABC, 2 2 1",
    "aaaa, A, 4",
    "aabb, A, 4",
    "aabb, a, 2",
    "aabb, ab, 2 2",
    "aabb, Ab, 2 2",
    "aaab, AB, 2 2",
    "aaaa, aB, 3 1",
    "aaaaaa, ABC, 5 1 0",
    "aabbcc, AB, 3 3",
    "aabbcc, aB, 4 2"
  })
  void oneStepGivesOrphansAndMovesOneGroup(String before, String members, String shares) {
    GroupMap map = map(before);
    GroupMap next = Assignment.plan(map, members(members), Set.of());
    assertEquals(shares, shares(next, members));
    assertEquals(next.wishes().equals(map.wishes()), next.equals(map), "a version of its own");
  }

  @Test
  void groupsOfNobodyStayWhileThereIsNoTaker() {
    GroupMap map = map("aab-");
    assertSame(map, Assignment.plan(map, members("a"), Set.of()));
    assertSame(map, Assignment.plan(map, List.of(), Set.of()));
  }

  @Test
  void nothingMovesForBalanceWhileAMoveIsUnderWay() {
    GroupMap map = map("aaab");
    assertSame(map, Assignment.plan(map, members("AB"), Set.of(3)));
    assertEquals(1, changes(map, Assignment.plan(map, members("AB"), Set.of())));
  }

  @Test
  void ofManyGroupsSeveralMoveAtATime() {
    GroupMap map = map("a".repeat(64));
    assertEquals(4, changes(map, Assignment.plan(map, members("AB"), Set.of())));
    assertEquals(3, changes(map, Assignment.plan(map, members("AB"), Set.of(7))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 12, 1024})
  void everySlotHasAGroup(int groups) {
    GroupMap map = GroupMap.empty(groups);
    Set<Integer> all =
        IntStream.range(0, MsgId.SLOTS).map(map::groupOf).boxed().collect(Collectors.toSet());
    assertEquals(groups, all.size());
    assertEquals(groups - 1, Collections.max(all));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1025})
  void thereAreNoMoreGroupsThanSlots(int groups) {
    assertThrows(IllegalArgumentException.class, () -> GroupMap.empty(groups));
  }

  /** Members come, go and fall silent; after each change the steps are followed to their end. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomMembersHaveEqualSharesAfterTheFewestMoves(long seed) {
    Random random = new Random(seed);
    GroupMap map = GroupMap.empty(1 + random.nextInt(40));
    for (int change = 0; change < 200; change++) {
      String members = randomMembers(random);
      GroupMap given = Assignment.plan(map, members(members), allOf(map));
      requireOnlyOrphansMoved(map, given, members);
      GroupMap settled = settled(given, members);
      if (members.chars().anyMatch(Character::isUpperCase)) {
        requireTotal(settled, members);
      }
      if (members.equals(members.toUpperCase(Locale.ROOT))) {
        assertEquals(surplus(given, members), changes(given, settled), "moves, seed " + seed);
      }
      map = settled;
    }
  }

  private static String randomMembers(Random random) {
    StringBuilder members = new StringBuilder();
    for (char node = 'a'; node <= 'f'; node++) {
      int state = random.nextInt(4);
      if (state > 0) {
        members.append(state == 1 ? node : Character.toUpperCase(node));
      }
    }
    return members.toString();
  }

  private static Set<Integer> allOf(GroupMap map) {
    return IntStream.range(0, map.groups()).boxed().collect(Collectors.toSet());
  }

  private static GroupMap settled(GroupMap from, String members) {
    GroupMap map = from;
    for (int step = 0; step < MOST_STEPS; step++) {
      GroupMap next = Assignment.plan(map, members(members), Set.of());
      if (next.equals(map)) {
        return map;
      }
      assertEquals(map.version() + 1, next.version());
      map = next;
    }
    throw new AssertionError("no end");
  }

  private static void requireOnlyOrphansMoved(GroupMap before, GroupMap after, String members) {
    Set<Character> keepers = letters(members);
    for (int group = 0; group < before.groups(); group++) {
      char node = node(before, group);
      if (keepers.contains(node)) {
        assertEquals(node, node(after, group), "a member keeps its groups");
      }
    }
  }

  private static void requireTotal(GroupMap map, String members) {
    for (int group = 0; group < map.groups(); group++) {
      assertTrue(letters(members).contains(node(map, group)), "group " + group + " is nobody's");
    }
  }

  /** The naive twin: as many groups as the largest shares have too many. */
  private static int surplus(GroupMap map, String members) {
    if (members.isEmpty()) {
      return 0;
    }
    int[] shares =
        letters(members).stream()
            .mapToInt(node -> (int) wishes(map).chars().filter(one -> one == node).count())
            .sorted()
            .toArray();
    int most = map.groups() % shares.length;
    int surplus = 0;
    for (int i = 0; i < shares.length; i++) {
      int fair = map.groups() / shares.length + (i >= shares.length - most ? 1 : 0);
      surplus += Math.max(0, shares[i] - fair);
    }
    return surplus;
  }

  private static int changes(GroupMap before, GroupMap after) {
    return (int)
        IntStream.range(0, before.groups())
            .filter(group -> node(before, group) != node(after, group))
            .count();
  }

  private static String shares(GroupMap map, String members) {
    List<Integer> shares = new ArrayList<>();
    for (char node : letters(members)) {
      shares.add((int) wishes(map).chars().filter(one -> one == node).count());
    }
    shares.sort(Collections.reverseOrder());
    return shares.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static Set<Character> letters(String members) {
    return members
        .toLowerCase(Locale.ROOT)
        .chars()
        .mapToObj(letter -> (char) letter)
        .collect(Collectors.toSet());
  }

  private static String wishes(GroupMap map) {
    return IntStream.range(0, map.groups())
        .mapToObj(group -> String.valueOf(node(map, group)))
        .collect(Collectors.joining());
  }

  private static char node(GroupMap map, int group) {
    return map.nodeOf(group).map(node -> node.value().charAt(0)).orElse(NOBODY);
  }

  private static GroupMap map(String letters) {
    Map<Integer, NodeId> wishes = new TreeMap<>();
    for (int group = 0; group < letters.length(); group++) {
      if (letters.charAt(group) != NOBODY) {
        wishes.put(group, new NodeId(String.valueOf(letters.charAt(group))));
      }
    }
    return new GroupMap(1, letters.length(), new TreeMap<>(wishes));
  }

  private static List<Member> members(String letters) {
    return Arrays.stream(letters.split(""))
        .filter(letter -> !letter.isEmpty())
        .map(
            letter ->
                new Member(
                    new NodeId(letter.toLowerCase(Locale.ROOT)),
                    /* keeps= */ true,
                    Character.isUpperCase(letter.charAt(0))))
        .toList();
  }
}
