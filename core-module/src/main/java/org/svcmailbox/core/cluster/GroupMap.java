package org.svcmailbox.core.cluster;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.svcmailbox.core.envelope.MsgId;

/**
 * The node that should have each group. A group is a fixed share of the routing slots.
 *
 * @param version counts the changes; only one successor of each version can be stored
 * @param groups how many there are
 * @param wishes by group; one that no node ever had is missing
 */
public record GroupMap(long version, int groups, NavigableMap<Integer, NodeId> wishes) {
  /** Checks that each group is one. */
  public GroupMap {
    if (groups < 1 || groups > MsgId.SLOTS) {
      throw new IllegalArgumentException("1 to " + MsgId.SLOTS + " groups, not " + groups);
    }
    if (!wishes.isEmpty() && (wishes.firstKey() < 0 || wishes.lastKey() >= groups)) {
      throw new IllegalArgumentException("not groups: " + wishes.keySet());
    }
    wishes = Collections.unmodifiableNavigableMap(new TreeMap<>(wishes));
  }

  /** A map that gives nobody anything. */
  public static GroupMap empty(int groups) {
    return new GroupMap(0, groups, new TreeMap<>());
  }

  /** The group of a routing slot. */
  public int groupOf(int slot) {
    return slot % groups;
  }

  /** The node that should have a group. */
  public Optional<NodeId> nodeOf(int group) {
    return Optional.ofNullable(wishes.get(group));
  }

  /** The groups that a node should have. */
  public Set<Integer> groupsOf(NodeId node) {
    return wishes.keySet().stream()
        .filter(group -> node.equals(wishes.get(group)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The next map, with these wishes. */
  GroupMap with(Map<Integer, NodeId> others) {
    return new GroupMap(version + 1, groups, new TreeMap<>(requireNonNull(others)));
  }
}
