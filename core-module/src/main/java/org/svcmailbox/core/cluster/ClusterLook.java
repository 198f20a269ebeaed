package org.svcmailbox.core.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at the shared database.
 *
 * @param beats the last beat of each node, also of those that ended
 * @param map which node should have which group
 * @param holders the node that last said it has a group, by group
 */
public record ClusterLook(List<Beat> beats, GroupMap map, Map<Integer, Holder> holders) {
  /** Copies the lists. */
  public ClusterLook {
    beats = List.copyOf(beats);
    holders = Map.copyOf(holders);
  }

  /** Groups that the nodes of the map do not have yet. */
  Set<Integer> moving() {
    return map.wishes().entrySet().stream()
        .filter(wish -> !isHolder(wish.getValue(), wish.getKey()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private boolean isHolder(NodeId node, int group) {
    Holder holder = holders.get(group);
    return holder != null && holder.node().equals(node);
  }
}
