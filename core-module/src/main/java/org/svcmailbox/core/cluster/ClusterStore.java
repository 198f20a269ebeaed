package org.svcmailbox.core.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * Members and map in the database that all nodes share. Each call is one transaction.
 *
 * <p>Calls throw {@link org.svcmailbox.core.problem.UnavailableException} while the database is
 * away; the caller repeats them.
 */
public interface ClusterStore {
  /** The last beat of a node; empty if it never had one. */
  Optional<Beat> find(NodeId node);

  /**
   * Begins a life with its first beat. The life before, if it still runs, finds with its next beat
   * that it is replaced.
   *
   * @param first of a process that follows no other one
   * @param replaced what {@link #find} found
   * @param now by this node's clock, for the count of lives alone
   * @return the first beat with its count of lives; empty if the node had another beat meanwhile,
   *     so nothing began
   */
  Optional<Beat> begin(Beat first, Optional<Beat> replaced, Instant now);

  /**
   * Records a beat and looks at all nodes.
   *
   * @throws ReplacedException if another process has this node's name; nothing is recorded
   */
  ClusterLook beat(Beat beat) throws ReplacedException;

  /**
   * Stores the successor of a map.
   *
   * @return whether it did; no, if another successor is stored
   */
  boolean replace(GroupMap successor);

  /**
   * Says that a node has a group.
   *
   * @param epoch rises from holder to holder
   * @return whether this is the newest that is said; no, if a later epoch is stored
   */
  boolean publish(int group, NodeId holder, long epoch);
}
