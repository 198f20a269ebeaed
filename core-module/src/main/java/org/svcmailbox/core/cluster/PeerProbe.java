package org.svcmailbox.core.cluster;

/** Asks other nodes about the database while this one does not reach it. */
public interface PeerProbe {
  /** A peer's answer. */
  enum Answer {
    /** It reaches the database, so it sees that this node's beats have ended. */
    DATABASE_UP,
    /** It does not reach the database either. */
    DATABASE_AWAY,
    /** It did not answer in time. */
    NONE
  }

  /** Asks one peer; takes a second at most. */
  Answer ask(NodeView peer);
}
