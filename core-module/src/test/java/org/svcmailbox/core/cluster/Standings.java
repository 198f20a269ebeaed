package org.svcmailbox.core.cluster;

import java.net.URI;
import java.time.Duration;

/** Standings of nodes in tests. */
public final class Standings {
  /** Of a node that could serve groups. */
  public static final NodeStanding FIT = new NodeStanding(/* isLeaving= */ false, "", 0);

  /** Of a node that could not. */
  public static final NodeStanding UNFIT =
      new NodeStanding(/* isLeaving= */ false, "no session", 0);

  /** Of a node that gives its groups away. */
  public static final NodeStanding LEAVING = new NodeStanding(/* isLeaving= */ true, "", 0);

  private Standings() {}

  /** A node as another one sees it. */
  public static Sighting sighting(NodeId node, URI url, boolean isAlive, NodeStanding standing) {
    Beat beat = new Beat(node, url, "1.0", 1, 1, 1, standing);
    return new Sighting(beat, isAlive, Duration.ZERO);
  }
}
