package org.svcmailbox.core.history;

import java.util.Map;

/**
 * The counters of all topics at one moment. Sums count since the process began; the others are as
 * of now.
 *
 * @param topics by the topic's id
 * @param refused refused calls since the process began
 */
public record Look(Map<Integer, Figures> topics, long refused) {
  public Look {
    topics = Map.copyOf(topics);
  }
}
