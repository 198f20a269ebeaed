package org.svcmailbox.web;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.cluster.Beat;
import org.svcmailbox.core.cluster.ClusterService;
import org.svcmailbox.core.cluster.GroupHere;
import org.svcmailbox.core.cluster.Holder;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeStanding;
import org.svcmailbox.core.cluster.Sighting;

/** Two nodes, of which one has lost its broker; or a server that is alone. */
public final class FakeCluster implements ClusterService {
  private static final NodeId A = new NodeId("a");
  private static final NodeId B = new NodeId("b");

  public boolean isAlone;

  @Override
  public ClusterState state(Caller caller) {
    if (isAlone) {
      return new ClusterState(Optional.empty(), 0, List.of(), List.of());
    }
    return new ClusterState(
        Optional.of(A),
        7,
        List.of(seen(A, "", 120), seen(B, "no broker session", 640)),
        List.of(
            new ListedGroup(
                0,
                Optional.of(A),
                Optional.of(new Holder(A, 12)),
                GroupHere.of(GroupHere.State.HELD)),
            new ListedGroup(
                1, Optional.of(A), Optional.of(new Holder(B, 9)), GroupHere.closed("no log")),
            new ListedGroup(
                2, Optional.empty(), Optional.empty(), GroupHere.of(GroupHere.State.AWAY))));
  }

  private static Sighting seen(NodeId node, String unfit, long age) {
    Beat beat =
        new Beat(
            node,
            URI.create("http://" + node + ":8080"),
            "1.2.3",
            1,
            2,
            1,
            new NodeStanding(/* isLeaving= */ false, unfit, 0));
    return new Sighting(beat, /* isAlive= */ true, Duration.ofMillis(age));
  }
}
