package org.svcmailbox.core.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened to a message before. It travels with the message, so it is bounded: the oldest
 * events go first.
 *
 * @param events oldest first, at most {@value #MAX_EVENTS}, their notes together at most {@value
 *     #MAX_TEXT} characters
 * @param dropped how many earlier ones are not kept any more
 * @param redrives how often it was redriven
 */
public record MessageHistory(List<MessageEvent> events, int dropped, int redrives) {
  /** The most events that are kept. */
  public static final int MAX_EVENTS = 50;

  /** The most characters of notes that are kept, of all events together. */
  public static final int MAX_TEXT = 16_384;

  /** Of a message that nothing happened to. */
  public static final MessageHistory NONE = new MessageHistory(List.of(), 0, 0);

  public MessageHistory {
    if (dropped < 0 || redrives < 0) {
      throw new IllegalArgumentException(dropped + " dropped, " + redrives + " reprocessed");
    }
    events = List.copyOf(events);
  }

  /** The same, and then {@code event}. */
  public MessageHistory with(MessageEvent event) {
    List<MessageEvent> longer = new ArrayList<>(events);
    longer.add(event);
    int excess = excess(longer);
    int more = event.kind() == MessageEvent.Kind.REDRIVEN ? 1 : 0;
    return new MessageHistory(
        longer.subList(excess, longer.size()), dropped + excess, redrives + more);
  }

  /** How many of the oldest are too many. */
  private static int excess(List<MessageEvent> events) {
    int first = events.size();
    int text = 0;
    while (first > 0 && events.size() - first < MAX_EVENTS) {
      text += events.get(first - 1).note().length();
      if (text > MAX_TEXT) {
        break;
      }
      first--;
    }
    return first;
  }

  /** Whether nothing ever happened. */
  public boolean isEmpty() {
    return equals(NONE);
  }
}
