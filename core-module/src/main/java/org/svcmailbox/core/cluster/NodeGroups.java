package org.svcmailbox.core.cluster;

import java.util.Map;
import java.util.Set;

/** The groups of this process. No call waits for the broker. */
public interface NodeGroups {
  /** Why this process could serve no groups; empty if it could: its broker sessions are open. */
  String unfit();

  /** The version of topics that no worker of this process is behind. */
  long topicsSeen();

  /** The groups that it has or waits for. */
  Set<Integer> wanted();

  /**
   * Has it wait for a group's log. A group that the broker has no log of is soon unwanted again.
   */
  void take(int group);

  /**
   * Has it give a group away: first what it knows of it, then the shards, then the log. Without a
   * broker session it has none, and no longer waits for it.
   */
  void giveAway(int group);

  /** The groups that it serves, each with the number of the entry that opened it here. */
  Map<Integer, Long> served();

  /** How a group stands here. */
  GroupHere of(int group);
}
