package org.svcmailbox.test.history;

import java.util.List;

/**
 * Everything that clients did and saw.
 *
 * @param crashes from just before each kill until the process was gone; a lease that was live then
 *     is not any more
 * @param losses when leases may have ended early, and the process and its calls went on
 */
public record History(List<Event> events, List<CallSpan> crashes, List<CallSpan> losses) {
  public History {
    events = List.copyOf(events);
    crashes = List.copyOf(crashes);
    losses = List.copyOf(losses);
  }
}
