package org.svcmailbox.core.cluster;

/** Another process has this node's name, so this one must end. */
public final class ReplacedException extends Exception {
  private static final long serialVersionUID = 1L;

  public ReplacedException(NodeId node) {
    super("Another process has the name " + node + " now; each node needs a name of its own");
  }
}
