package org.svcmailbox.web.cluster;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.Beat;
import org.svcmailbox.core.cluster.ClusterService.ClusterState;
import org.svcmailbox.core.cluster.ClusterService.ListedGroup;
import org.svcmailbox.core.cluster.Holder;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.Sighting;

/**
 * A cluster as one node sees it.
 *
 * @param node the node that answers; absent from a server that is alone
 */
record ClusterResponse(
    boolean clustered,
    @Nullable String node,
    long mapVersion,
    List<ClusterNode> nodes,
    List<ClusterGroup> groups) {
  /**
   * One node.
   *
   * @param unfitBecause why it could serve no groups; absent if it could
   */
  record ClusterNode(
      String node,
      String url,
      String state,
      boolean fit,
      @Nullable String unfitBecause,
      long beatAgeMs,
      String release) {
    private static ClusterNode of(Sighting seen) {
      Beat beat = seen.beat();
      return new ClusterNode(
          beat.node().value(),
          beat.url().toString(),
          seen.state().text(),
          beat.isFit(),
          orNull(beat.standing().unfit()),
          seen.age().toMillis(),
          beat.release());
    }
  }

  /**
   * One group.
   *
   * @param wanted the node that should have it; absent before its first one
   * @param holder the node that last said it has it; absent before its first one
   * @param state on the node that answers
   * @param trouble why that node cannot have it; absent if it could
   */
  record ClusterGroup(
      int group,
      @Nullable String wanted,
      @Nullable String holder,
      @Nullable Long epoch,
      String state,
      @Nullable String trouble) {
    private static ClusterGroup of(ListedGroup listed) {
      Optional<Holder> holder = listed.holder();
      return new ClusterGroup(
          listed.group(),
          listed.wanted().map(NodeId::value).orElse(null),
          holder.map(one -> one.node().value()).orElse(null),
          holder.map(Holder::epoch).orElse(null),
          listed.here().state().text(),
          orNull(listed.here().trouble()));
    }
  }

  static ClusterResponse of(ClusterState cluster) {
    return new ClusterResponse(
        cluster.self().isPresent(),
        cluster.self().map(NodeId::value).orElse(null),
        cluster.mapVersion(),
        cluster.nodes().stream().map(ClusterNode::of).toList(),
        cluster.groups().stream().map(ClusterGroup::of).toList());
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
