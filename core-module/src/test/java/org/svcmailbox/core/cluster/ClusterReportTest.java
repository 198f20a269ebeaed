package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.ClusterService.ClusterState;
import org.svcmailbox.core.cluster.ClusterService.ListedGroup;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

/** Two nodes as the first one sees them. */
class ClusterReportTest {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");
  private static final int GROUPS = 4;
  private static final Caller OPERATOR = SampleCallers.OPERATOR;

  private final TestTime time = new TestTime();
  private final InMemoryClusterStore store = new InMemoryClusterStore(GROUPS);
  private final ServedGroups groups = new ServedGroups();
  private final ClusterStep a = step(A, 1);
  private final ClusterStep b = step(B, 2);
  private final MapFollower follower =
      new MapFollower(A, a, store, groups, peer -> PeerProbe.Answer.NONE, time);
  private final ClusterReport report = ClusterReport.of(follower);

  private ClusterStep step(NodeId node, long life) {
    return new ClusterStep(
        node, URI.create("http://" + node + ":8080"), GROUPS, life, store, time, time);
  }

  private void turns(int count, NodeStanding other) throws ReplacedException {
    for (int i = 0; i < count; i++) {
      b.next(other);
      turns(1);
    }
  }

  private void turns(int count) throws ReplacedException {
    for (int i = 0; i < count; i++) {
      follower.turn();
      time.advance(MapFollower.EVERY);
    }
  }

  @Test
  void nodesAndGroupsAreListedAsTheLastLookFoundThem() throws ReplacedException {
    turns(14);
    turns(2, Standings.UNFIT);
    groups.closed = 3;
    ClusterState state = report.state(OPERATOR);

    assertEquals(Optional.of(A), state.self());
    assertEquals(store.map().version(), state.mapVersion());
    assertEquals(
        List.of(Sighting.State.UP, Sighting.State.UNFIT),
        state.nodes().stream().map(Sighting::state).toList());
    assertEquals("no session", state.nodes().get(1).beat().standing().unfit());
    assertEquals(MapFollower.EVERY, state.nodes().get(1).age());
    assertEquals(
        new ListedGroup(
            0, Optional.of(A), Optional.of(new Holder(A, 1)), GroupHere.of(GroupHere.State.HELD)),
        state.groups().get(0));
    assertEquals(GroupHere.State.CLOSED, state.groups().get(3).here().state());
    assertEquals(GROUPS, state.groups().size());
  }

  @Test
  void aServerThatIsAloneHasNeitherNodesNorMetrics() {
    assertEquals(
        new ClusterState(Optional.empty(), 0, List.of(), List.of()),
        ClusterReport.alone().state(OPERATOR));
    assertEquals(List.of(), ClusterReport.alone().metrics());
    assertEquals(List.of(), ClusterReport.alone().distributions());
  }

  @Test
  void onlyOperatorsAreTold() {
    assertThrows(
        DeniedException.class, () -> report.state(new SampleCallers().caller(1, "ops = peek")));
  }

  @Test
  void metricsCountNodesAndGroupsByState() throws ReplacedException {
    turns(14, Standings.UNFIT);
    turns(8);
    groups.closed = 2;
    Map<String, Double> now = metrics();
    assertEquals(1.0, now.get("cluster_nodes{state=up}"));
    assertEquals(1.0, now.get("cluster_nodes{state=dead}"));
    assertEquals(0.0, now.get("cluster_nodes{state=unfit}"));
    assertEquals(3.0, now.get("cluster_groups{state=held}"));
    assertEquals(1.0, now.get("cluster_groups{state=closed}"));
    assertEquals(0.0, now.get("cluster_groups{state=away}"));
    assertEquals((double) store.map().version(), now.get("cluster_map_version{}"));
    assertEquals((double) GROUPS, now.get("cluster_takeovers_total{kind=crash}"));
    assertEquals(0.0, now.get("cluster_takeovers_total{kind=planned}"));
    assertEquals(
        List.of(Family.CLUSTER_TAKEOVER_SECONDS),
        report.distributions().stream().map(Distribution::family).toList());
  }

  @Test
  void theBeatAgesWhileTheDatabaseIsAway() throws ReplacedException {
    turns(3);
    store.away(true);
    time.advance(Duration.ofSeconds(4));
    assertThrows(UnavailableException.class, follower::turn);
    assertEquals(4.5, metrics().get("cluster_beat_age_seconds{}"));
    store.away(false);
    follower.turn();
    assertEquals(0.0, metrics().get("cluster_beat_age_seconds{}"));
  }

  private Map<String, Double> metrics() {
    Map<String, Double> values = new TreeMap<>();
    for (Metric metric : report.metrics()) {
      values.put(metric.family().text() + metric.tags(), metric.now());
    }
    return values;
  }
}
