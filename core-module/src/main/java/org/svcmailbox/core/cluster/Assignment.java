package org.svcmailbox.core.cluster;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plans which node should have each group. Every node plans alike and any may store the result, so
 * there is no leader. Pure.
 */
public final class Assignment {
  /** One move at a time, or so many of all groups. */
  private static final int PART = 16;

  private final GroupMap map;
  private final List<NodeId> takers;
  private final Map<Integer, NodeId> wishes;

  /** How many groups each node has that keeps its own. */
  private final Map<NodeId, Integer> shares = new TreeMap<>();

  private Assignment(GroupMap map, Collection<Member> members) {
    this.map = map;
    this.wishes = new TreeMap<>(map.wishes());
    this.takers = members.stream().filter(Member::takes).map(Member::node).sorted().toList();
    members.stream().filter(Member::keeps).forEach(member -> shares.put(member.node(), 0));
    wishes.values().forEach(node -> shares.computeIfPresent(node, (same, count) -> count + 1));
  }

  /**
   * The next map. Groups of nodes that keep none go to takers with the fewest groups. Then groups
   * move from the largest share to the smallest while the two differ by more than one, a few at a
   * time. Without a taker nothing changes.
   *
   * @param moving groups that their nodes do not have yet; they count as moves under way
   * @return {@code map} itself when it is as it should be
   */
  public static GroupMap plan(GroupMap map, Collection<Member> members, Set<Integer> moving) {
    Assignment plan = new Assignment(map, members);
    if (plan.takers.isEmpty()) {
      return map;
    }
    plan.giveOrphans();
    plan.balance(Math.max(1, map.groups() / PART) - moving.size());
    return plan.wishes.equals(map.wishes()) ? map : map.with(plan.wishes);
  }

  private void giveOrphans() {
    for (int group = 0; group < map.groups(); group++) {
      NodeId node = wishes.get(group);
      if (node == null || !shares.containsKey(node)) {
        give(group, fewest(group));
      }
    }
  }

  private void give(int group, NodeId heir) {
    NodeId before = wishes.put(group, heir);
    if (before != null) {
      shares.computeIfPresent(before, (same, count) -> count - 1);
    }
    shares.merge(heir, 1, Integer::sum);
  }

  private NodeId fewest(int group) {
    return takers.stream()
        .min(
            Comparator.<NodeId>comparingInt(this::share)
                .thenComparingInt(node -> hash(group, node)))
        .orElseThrow();
  }

  private int share(NodeId node) {
    return requireNonNull(shares.get(node));
  }

  private void balance(int moves) {
    for (int left = moves; left > 0; left--) {
      NodeId largest =
          shares.keySet().stream().max(Comparator.comparingInt(this::share)).orElseThrow();
      Optional<Integer> group =
          wishes.keySet().stream()
              .filter(one -> largest.equals(wishes.get(one)))
              .min(Comparator.comparingInt(one -> hash(one, largest)));
      if (group.isEmpty()) {
        return;
      }
      NodeId heir = fewest(group.get());
      if (share(largest) - share(heir) <= 1) {
        return;
      }
      give(group.get(), heir);
    }
  }

  /** Spreads groups over equals; the same in every process. */
  private static int hash(int group, NodeId node) {
    int mixed = 31 * node.value().hashCode() + group;
    mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
    mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
    return mixed ^ (mixed >>> 16);
  }
}
