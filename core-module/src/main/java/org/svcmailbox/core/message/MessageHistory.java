package org.svcmailbox.core.message;

import java.util.ArrayList;
import java.util.List;

/**
 * A message's history, oldest event first. It travels with the message, so the oldest events are
 * dropped beyond {@value #MAX_EVENTS} events or {@value #MAX_TEXT} characters of notes.
 */
public record MessageHistory(List<MessageEvent> events, int dropped, int redrives) {
  public static final int MAX_EVENTS = 50;

  public static final int MAX_TEXT = 16_384;

  public static final MessageHistory NONE = new MessageHistory(List.of(), 0, 0);

  public MessageHistory {
    if (dropped < 0 || redrives < 0) {
      throw new IllegalArgumentException(dropped + " dropped, " + redrives + " reprocessed");
    }
    events = List.copyOf(events);
  }

  public MessageHistory with(MessageEvent event) {
    List<MessageEvent> longer = new ArrayList<>(events);
    longer.add(event);
    int excess = excess(longer);
    int more = event.kind() == MessageEvent.Kind.REDRIVEN ? 1 : 0;
    return new MessageHistory(
        longer.subList(excess, longer.size()), dropped + excess, redrives + more);
  }

  /** How many of the oldest events to drop. */
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

  /** The note of the last redrive; empty if none is kept. */
  public String lastRedrive() {
    for (int i = events.size() - 1; i >= 0; i--) {
      if (events.get(i).kind() == MessageEvent.Kind.REDRIVEN) {
        return events.get(i).note();
      }
    }
    return "";
  }

  public boolean isEmpty() {
    return equals(NONE);
  }
}
