package org.svcmailbox.core.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The rows of all minutes. Throws {@code UnavailableException} while the database is away. */
public interface HistoryStore {
  /** The id of the service among the topics. */
  int SERVICE = 0;

  /**
   * A span of minutes, in steps of equal length.
   *
   * @param from the first minute since 1970, a multiple of {@code step}
   * @param until the minute after the last one, a multiple of {@code step}
   * @param step minutes that become one point
   */
  record Span(long from, long until, int step) {
    public Span {
      if (step < 1 || from % step != 0 || until % step != 0 || until < from) {
        throw new IllegalArgumentException("not whole steps: " + from + ", " + until);
      }
    }

    public int points() {
      return (int) ((until - from) / step);
    }

    /** The point that has a minute. */
    public int point(long minute) {
      return (int) ((minute - from) / step);
    }

    /** When a point begins. */
    public Instant begin(int point) {
      return Instant.EPOCH.plus(Duration.ofMinutes(from + (long) point * step));
    }
  }

  /**
   * The merged rows of one step.
   *
   * @param point counts the steps of the span from 0
   * @param isComplete for the service: whether a minute has the rows of every topic that was not
   *     zero
   */
  record Step(int point, Figures figures, boolean isComplete) {}

  /**
   * Writes the rows of a minute in one transaction, merged with those that the minute has. A
   * repetition, by run and number, changes nothing.
   */
  void write(MinuteRows rows);

  /**
   * The steps of a topic, or of the {@link #SERVICE}, that have rows, in order. Series that are not
   * asked for are 0.
   */
  List<Step> read(int topicId, Span span, Set<Series> series);

  /** The most starts of an answer. */
  int MOST_STARTS = 100;

  /**
   * When the processes began that wrote rows in the span, and began within it: the last {@link
   * #MOST_STARTS}, in order.
   */
  List<Instant> starts(Span span);

  /**
   * Removes rows of minutes before one, of some topics from {@code topicId} on, in one transaction.
   *
   * @return the topic to go on with; {@link #SERVICE} if none is left
   */
  int purge(int topicId, long before);
}
