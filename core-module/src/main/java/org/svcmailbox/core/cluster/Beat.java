package org.svcmailbox.core.cluster;

/**
 * A node's report of itself, twice a second.
 *
 * @param life tells this process from earlier ones of the same name
 * @param number rises with each beat of a life
 * @param lives how many processes of this name followed each other within ten minutes, with this
 *     one
 * @param isLeaving whether the node gives its groups away
 * @param isFit whether it could serve groups: its sessions are open, and its clock is right
 */
public record Beat(
    NodeId node, long life, long number, int lives, boolean isLeaving, boolean isFit) {
  /** Checks that this life is one of those it counts. */
  public Beat {
    if (lives < 1) {
      throw new IllegalArgumentException(node + " has had no life");
    }
  }
}
