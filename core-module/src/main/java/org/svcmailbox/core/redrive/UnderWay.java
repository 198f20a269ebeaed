package org.svcmailbox.core.redrive;

import java.util.Set;
import org.svcmailbox.core.deadletter.Place;

/**
 * Letters that a job was about to move, all in one queue: those that are not in it any more have
 * been moved.
 *
 * @param segment which of the topic's queues
 */
public record UnderWay(int segment, Set<Place> places) {
  /** Nothing. */
  public static final UnderWay NOTHING = new UnderWay(0, Set.of());

  public UnderWay {
    places = Set.copyOf(places);
  }
}
