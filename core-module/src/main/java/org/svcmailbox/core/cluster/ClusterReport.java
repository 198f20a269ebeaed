package org.svcmailbox.core.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/** Reports the cluster as this node sees it. Any thread. */
public final class ClusterReport implements ClusterService, MetricSource {
  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  private final @Nullable MapFollower follower;

  private ClusterReport(@Nullable MapFollower follower) {
    this.follower = follower;
  }

  /** Reports what a node knows. */
  public static ClusterReport of(MapFollower follower) {
    return new ClusterReport(follower);
  }

  /** The report of a server that is alone, which has no metrics. */
  public static ClusterReport alone() {
    return new ClusterReport(null);
  }

  @Override
  public ClusterState state(Caller caller) {
    caller.require(Operation.ADMIN, null);
    return follower == null ? ClusterState.ALONE : state(follower);
  }

  private static ClusterState state(MapFollower node) {
    ClusterView view = node.step().view();
    List<ListedGroup> groups =
        IntStream.range(0, view.map().groups())
            .mapToObj(group -> listed(node, view, group))
            .toList();
    Duration sinceLook = node.silence();
    List<Sighting> nodes = view.sightings().stream().map(seen -> seen.after(sinceLook)).toList();
    return new ClusterState(Optional.of(node.self()), view.map().version(), nodes, groups);
  }

  private static ListedGroup listed(MapFollower node, ClusterView view, int group) {
    return new ListedGroup(
        group,
        view.map().nodeOf(group),
        Optional.ofNullable(view.holders().get(group)),
        node.here(group));
  }

  @Override
  public List<Metric> metrics() {
    return follower == null ? List.of() : metrics(follower);
  }

  private static List<Metric> metrics(MapFollower node) {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(Family.CLUSTER_MAP_VERSION.of(() -> node.step().view().map().version()));
    metrics.add(Family.CLUSTER_BEAT_AGE_SECONDS.ofDouble(() -> node.silence().toNanos() / NANOS));
    for (Sighting.State state : Sighting.State.values()) {
      metrics.add(Family.CLUSTER_NODES.of(() -> nodes(node, state), state.text()));
    }
    for (GroupHere.State state : GroupHere.State.values()) {
      metrics.add(Family.CLUSTER_GROUPS.of(() -> groups(node, state), state.text()));
    }
    metrics.addAll(node.takeovers().metrics());
    return metrics;
  }

  private static long nodes(MapFollower node, Sighting.State state) {
    return node.step().view().sightings().stream().filter(one -> one.state() == state).count();
  }

  private static long groups(MapFollower node, GroupHere.State state) {
    return IntStream.range(0, node.step().view().map().groups())
        .filter(group -> node.here(group).state() == state)
        .count();
  }

  @Override
  public List<Distribution> distributions() {
    return follower == null ? List.of() : follower.takeovers().distributions();
  }
}
