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
public record ClusterLook(List<Beat> beats, GroupMap map, Map<Integer, NodeId> holders) {
  /** Copies the lists. */
  public ClusterLook {
    beats = List.copyOf(beats);
    holders = Map.copyOf(holders);
  }

  /** The look as a view, with the map that counts after it. */
  ClusterView view(GroupMap counting, List<Member> judged) {
    Map<NodeId, Boolean> alive =
        judged.stream().collect(Collectors.toMap(Member::node, Member::isAlive));
    List<NodeView> nodes =
        beats.stream()
            .map(
                beat ->
                    new NodeView(
                        beat.node(),
                        beat.url(),
                        alive.getOrDefault(beat.node(), false),
                        beat.isLeaving(),
                        beat.isFit()))
            .toList();
    return new ClusterView(counting, holders, nodes);
  }

  /** Groups that the nodes of the map do not have yet. */
  Set<Integer> moving() {
    return map.wishes().entrySet().stream()
        .filter(wish -> !wish.getValue().equals(holders.get(wish.getKey())))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
