package org.svcmailbox.core.route;

import java.time.Duration;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.NotClusteredException;

/** The refusals of calls that reach no owner. Their reasons are public. */
final class RouteRefusals {
  /** Also the reason of a worker that does not serve the group. */
  static final String GROUP_MOVING = "group_moving";

  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LATER = Duration.ofSeconds(1);

  private RouteRefusals() {}

  /** Nothing was done. */
  static Refusal groupMoving() {
    return Refusal.unavailable(
        GROUP_MOVING, "no node serves this group yet; repeat the call", SOON);
  }

  /** Nothing was done. */
  static Refusal ownerUnreachable() {
    return Refusal.unavailable(
        "owner_unreachable", "this node does not reach the one with the group; repeat it", LATER);
  }

  /** The call may have been carried out. */
  static Refusal ownerLost() {
    return Refusal.unavailable(
        "owner_lost",
        "the connection to the node with the group was lost; the call may or may not have taken"
            + " effect",
        SOON);
  }

  /** Nothing was done. */
  static Refusal saturated() {
    return Refusal.saturated(Peers.CALLS, "too many calls wait for the node with the group", SOON);
  }

  /** Nothing was done. */
  static Refusal parkingFull() {
    return Refusal.saturated(Parking.BOUND, "too many calls wait for other nodes", SOON);
  }

  /** Nothing was done. */
  static Refusal notClustered() {
    return Refusal.unavailable(
        NotClusteredException.REASON,
        "several nodes cannot take a shard_key yet that leads away from the idem_key's group",
        LATER);
  }

  /**
   * A refusal of another node as this one understands it: a node that ends has given its groups
   * away.
   */
  static Refusal ofPeer(Refusal refusal) {
    return refusal.reason().equals(Refusal.DRAINING) ? groupMoving() : refusal;
  }

  /** Whether a group moves: a node that waits for its log says {@code settling} of a SEND. */
  static boolean isMoving(Refusal refusal) {
    return refusal.reason().equals(GROUP_MOVING) || refusal.reason().equals(Refusal.SETTLING);
  }
}
