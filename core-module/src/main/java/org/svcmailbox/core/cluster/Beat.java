package org.svcmailbox.core.cluster;

import java.net.URI;
import java.util.Objects;

/**
 * A node's report of itself, twice a second.
 *
 * @param url how the other nodes reach it, {@code http} or {@code https}
 * @param life tells this process from earlier ones of the same name
 * @param number rises with each beat of a life
 * @param lives how many processes of this name followed each other within ten minutes, with this
 *     one
 * @param isLeaving whether the node gives its groups away
 * @param isFit whether it could serve groups: its sessions are open, and its clock is right
 */
public record Beat(
    NodeId node, URI url, long life, long number, int lives, boolean isLeaving, boolean isFit) {
  /** Checks that this life is one of those it counts. */
  public Beat {
    if (lives < 1) {
      throw new IllegalArgumentException(node + " has had no life");
    }
    Objects.requireNonNull(url);
  }

  /** The first beat of a process that follows no other one. */
  public static Beat first(NodeId node, URI url, long life) {
    return new Beat(node, url, life, 1, 1, /* isLeaving= */ false, /* isFit= */ false);
  }

  /** The same beat of a process that follows others. */
  public Beat withLives(int counted) {
    return new Beat(node, url, life, number, counted, isLeaving, isFit);
  }
}
