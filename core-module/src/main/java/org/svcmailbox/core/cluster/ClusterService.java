package org.svcmailbox.core.cluster;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.capability.Caller;

/** Tells operators how the nodes of a cluster share its groups. Answers from memory. */
public interface ClusterService {
  /**
   * A group.
   *
   * @param wanted the node that should have it
   * @param holder the node that last said it has it
   * @param here how it stands on the node that answers
   */
  record ListedGroup(int group, Optional<NodeId> wanted, Optional<Holder> holder, GroupHere here) {}

  /**
   * The cluster as one node sees it.
   *
   * @param self the node that answers; empty for a server that is alone
   * @param mapVersion counts the changes of the map
   * @param nodes by name, also dead ones; none for a server that is alone
   * @param groups by number; none for a server that is alone
   */
  record ClusterState(
      Optional<NodeId> self, long mapVersion, List<Sighting> nodes, List<ListedGroup> groups) {
    /** A server that is alone. */
    static final ClusterState ALONE = new ClusterState(Optional.empty(), 0, List.of(), List.of());

    /** Copies the lists. */
    public ClusterState {
      nodes = List.copyOf(nodes);
      groups = List.copyOf(groups);
    }
  }

  /** Needs {@code admin} for all topics; throws {@code DeniedException} without it. */
  ClusterState state(Caller caller);
}
