package org.svcmailbox.core.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A node's knowledge of the cluster after a look at it. Immutable.
 *
 * @param map which node should have which group
 * @param holders by group
 * @param sightings all nodes in the order of their names, also dead ones
 */
public record ClusterView(GroupMap map, Map<Integer, Holder> holders, List<Sighting> sightings) {
  /** Copies the lists. */
  public ClusterView {
    holders = Map.copyOf(holders);
    sightings = sightings.stream().sorted(Comparator.comparing(one -> one.beat().node())).toList();
  }

  /** The view of a node that has not looked yet. */
  public static ClusterView nothing(int groups) {
    return new ClusterView(GroupMap.empty(groups), Map.of(), List.of());
  }

  /** All nodes in the order of their names, also dead ones. */
  public List<NodeView> nodes() {
    return sightings.stream().map(Sighting::view).toList();
  }

  /** Whether a node last said that it has a group. */
  public boolean isHolder(NodeId node, int group) {
    Holder holder = holders.get(group);
    return holder != null && holder.node().equals(node);
  }

  /** The node that last said it has a group; empty if none did, or if that one is dead. */
  public Optional<NodeView> holderOf(int group) {
    return living(node -> isHolder(node, group));
  }

  /** The node that should have a group and has not said so; empty if there is none that lives. */
  public Optional<NodeView> heirOf(int group) {
    return map.nodeOf(group)
        .filter(heir -> !isHolder(heir, group))
        .flatMap(heir -> living(heir::equals));
  }

  private Optional<NodeView> living(Predicate<NodeId> which) {
    return sightings.stream()
        .filter(one -> one.isAlive() && which.test(one.beat().node()))
        .map(Sighting::view)
        .findFirst();
  }

  /** Whether a node besides this one lives and may be given groups. */
  public boolean hasTakerBeside(NodeId node) {
    return sightings.stream()
        .anyMatch(one -> one.state() == Sighting.State.UP && !one.beat().node().equals(node));
  }

  /**
   * Whether no other node can act by topics older than a version. A dead node's groups may still be
   * served until another one has said that it has them.
   */
  public boolean knowTopics(NodeId self, long version) {
    boolean haveSeen =
        sightings.stream()
            .filter(one -> one.isAlive() && !one.beat().node().equals(self))
            .allMatch(one -> one.beat().standing().topicsSeen() >= version);
    return haveSeen && holders.keySet().stream().allMatch(group -> holderOf(group).isPresent());
  }

  /** The groups that a node should have. */
  public Set<Integer> groupsOf(NodeId node) {
    return map.groupsOf(node);
  }
}
