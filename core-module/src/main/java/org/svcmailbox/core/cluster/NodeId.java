package org.svcmailbox.core.cluster;

/** The name of a node, which it keeps over restarts. */
public record NodeId(String value) implements Comparable<NodeId> {
  private static final int MOST = 64;

  /** Checks the name. */
  public NodeId {
    if (value.isEmpty() || value.length() > MOST) {
      throw new IllegalArgumentException("a node's name has 1 to " + MOST + " characters");
    }
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
