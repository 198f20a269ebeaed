package org.svcmailbox.core.cluster;

/**
 * How a node stands, by its own word.
 *
 * @param isLeaving whether it gives its groups away
 * @param unfit why it could serve no groups; empty if it could
 */
public record NodeStanding(boolean isLeaving, String unfit) {
  /** A node that has looked at nothing yet. */
  static final NodeStanding NEW = new NodeStanding(false, "the node has just joined");

  private static final int LONGEST = 255;

  /** Shortens a reason that the database could not keep. */
  public NodeStanding {
    unfit = unfit.length() > LONGEST ? unfit.substring(0, LONGEST) : unfit;
  }

  /** Whether it could serve groups: its sessions are open, and its clock is right. */
  public boolean isFit() {
    return unfit.isEmpty();
  }
}
