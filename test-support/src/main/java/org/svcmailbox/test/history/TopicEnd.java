package org.svcmailbox.test.history;

import java.util.Set;

/**
 * A topic's final content.
 *
 * @param maxAttempts deliveries before a message is dead
 * @param left ids of messages still in it
 * @param dead ids of its dead letters, as far as they are known
 * @param deadUnnamed how many more dead letters it has
 */
public record TopicEnd(
    String topic, int maxAttempts, Set<String> left, Set<String> dead, long deadUnnamed) {
  public TopicEnd {
    left = Set.copyOf(left);
    dead = Set.copyOf(dead);
  }

  /** A topic that was drained, of whose dead letters only the number is known. */
  public static TopicEnd drained(String topic, int maxAttempts, long deadUnnamed) {
    return new TopicEnd(topic, maxAttempts, Set.of(), Set.of(), deadUnnamed);
  }
}
