package org.svcmailbox.core.cluster;

import java.time.Duration;
import java.util.Locale;

/**
 * A node's last beat as this one found it.
 *
 * @param isAlive whether its beats have not ended
 * @param age time since a look found a new beat, at most since this node looks
 */
public record Sighting(Beat beat, boolean isAlive, Duration age) {
  /** The node, by its beats and its own word. */
  public enum State {
    /** It beats and could serve groups. */
    UP,
    /** It beats and could serve none. */
    UNFIT,
    /** It gives its groups away. */
    LEAVING,
    /** Its beats have ended. */
    DEAD;

    /** The name in metrics and answers. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The state by beats and word; dead outranks leaving, and leaving unfit. */
  public State state() {
    if (!isAlive) {
      return State.DEAD;
    }
    if (beat.isLeaving()) {
      return State.LEAVING;
    }
    return beat.isFit() ? State.UP : State.UNFIT;
  }

  /** The same sighting after some time without another look. */
  Sighting after(Duration time) {
    return new Sighting(beat, isAlive, age.plus(time));
  }

  /** The node for those that call it. */
  NodeView view() {
    return new NodeView(beat.node(), beat.url(), isAlive);
  }
}
