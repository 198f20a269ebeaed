package org.svcmailbox.core.cluster;

/**
 * How a node stands, by its own word.
 *
 * @param isLeaving whether it gives its groups away
 * @param unfit why it could serve no groups; empty if it could
 * @param topicsSeen no worker of it is behind this version of the topics
 */
public record NodeStanding(boolean isLeaving, String unfit, long topicsSeen) {
  /** A node that has looked at nothing yet. */
  static final NodeStanding NEW = new NodeStanding(false, "the node has just joined", 0);

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
