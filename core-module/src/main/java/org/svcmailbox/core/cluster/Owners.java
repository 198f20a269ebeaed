package org.svcmailbox.core.cluster;

import java.util.List;

/**
 * Which node serves which group, as this node knows it. Answers come from memory: they never block,
 * on any thread, and may be old. A wrong one costs a refused call.
 */
public interface Owners {
  /** The name of this node. */
  NodeId self();

  /** How many groups there are. */
  int groups();

  /** Where a group's calls are served, {@code 0 <= group < groups()}. */
  Owner of(int group);

  /**
   * Where a group is going while {@link #of} names another node: its calls may be served there
   * already. {@link Owner#MOVING} if it goes nowhere.
   */
  default Owner heirOf(int group) {
    return Owner.MOVING;
  }

  /** The other nodes that live, in the order of their names. */
  List<NodeView> peers();

  /** The group of a routing slot. */
  default int groupOf(int slot) {
    return slot % groups();
  }

  /** Where calls for a routing slot are served. */
  default Owner ofSlot(int slot) {
    return of(groupOf(slot));
  }
}
