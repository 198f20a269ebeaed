package org.svcmailbox.test.history;

import java.util.List;

/**
 * Everything that clients did and saw.
 *
 * @param crashes from just before each kill until the process was gone; a lease that was live then
 *     is not any more
 */
public record History(List<Event> events, List<CallSpan> crashes) {
  public History {
    events = List.copyOf(events);
    crashes = List.copyOf(crashes);
  }
}
