package org.svcmailbox.core.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A node's knowledge of the cluster after a look at it. Immutable.
 *
 * @param map which node should have which group
 * @param holders the node that last said it has a group, by group
 * @param nodes all nodes in the order of their names, also dead ones
 */
public record ClusterView(GroupMap map, Map<Integer, NodeId> holders, List<NodeView> nodes) {
  /** Copies the lists. */
  public ClusterView {
    holders = Map.copyOf(holders);
    nodes = nodes.stream().sorted(Comparator.comparing(NodeView::node)).toList();
  }

  /** The view of a node that has not looked yet. */
  public static ClusterView nothing(int groups) {
    return new ClusterView(GroupMap.empty(groups), Map.of(), List.of());
  }

  /** The node that last said it has a group; empty if none did, or if that one is dead. */
  public Optional<NodeView> holderOf(int group) {
    NodeId holder = holders.get(group);
    return nodes.stream().filter(one -> one.node().equals(holder) && one.isAlive()).findFirst();
  }

  /** Whether a node besides this one lives and may be given groups. */
  public boolean hasTakerBeside(NodeId node) {
    return nodes.stream()
        .anyMatch(
            one -> one.isAlive() && one.isFit() && !one.isLeaving() && !one.node().equals(node));
  }

  /** The groups that a node should have. */
  public Set<Integer> groupsOf(NodeId node) {
    return map.groupsOf(node);
  }
}
