package org.svcmailbox.core.cluster;

/**
 * A node as the others judge it after a look at all of them.
 *
 * @param keeps whether it may keep groups: it is neither dead nor leaving nor unfit for too long
 * @param takes whether it may be given groups
 */
public record Member(NodeId node, boolean keeps, boolean takes) {
  /** Checks that it keeps what it takes. */
  public Member {
    if (takes && !keeps) {
      throw new IllegalArgumentException(node + " takes groups and keeps none");
    }
  }
}
