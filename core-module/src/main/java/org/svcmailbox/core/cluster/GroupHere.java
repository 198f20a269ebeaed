package org.svcmailbox.core.cluster;

import java.util.Locale;

/**
 * A group on this node.
 *
 * @param trouble why the node cannot have it; empty unless {@link State#CLOSED}
 */
public record GroupHere(State state, String trouble) {
  /** How far a group is on its way to this node or from it. */
  public enum State {
    /** The node neither has it nor waits for it. */
    AWAY,
    /** It waits for the group's log. */
    ATTACHING,
    /** It delivers, and loads the keys that SENDs need. */
    LOADING,
    /** It serves all calls. */
    HELD,
    /** It gives the group away. */
    LEAVING,
    /** Log and database do not match, or the broker has no log. */
    CLOSED;

    /** The name in metrics and answers. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A group without trouble. */
  public static GroupHere of(State state) {
    return new GroupHere(state, "");
  }

  /** A group that the node cannot have. */
  public static GroupHere closed(String trouble) {
    return new GroupHere(State.CLOSED, trouble);
  }
}
