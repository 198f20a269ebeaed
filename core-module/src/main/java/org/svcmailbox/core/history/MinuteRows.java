package org.svcmailbox.core.history;

import java.util.Map;

/**
 * The rows of one minute. A clock that is set back makes a process write a minute twice, and so
 * does a restart within a minute; the store merges both.
 *
 * @param minute minutes since 1970
 * @param run milliseconds since 1970 when the process began
 * @param number counts the minutes that the process has written; with {@code run} it tells a
 *     repetition from another part of the minute
 * @param service the sum of all topics
 * @param topics those that are kept, by the topic's id
 * @param leftOut how many more topics were not zero
 */
public record MinuteRows(
    long minute,
    long run,
    long number,
    Figures service,
    Map<Integer, Figures> topics,
    int leftOut) {
  public MinuteRows {
    topics = Map.copyOf(topics);
  }
}
