package org.svcmailbox.core.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/** Tells what happened, minute by minute. */
public interface HistoryService {
  /** The most topics of one question. */
  int MOST_TOPICS = 50;

  /** The most points of one answer, of all topics and series. */
  int MOST_POINTS = 20_000;

  /** How far back an answer goes, and how many minutes one of its points covers. */
  enum Window {
    HOUR("1h", 60, 1),
    SIX_HOURS("6h", 360, 1),
    DAY("24h", 1_440, 5),
    WEEK("7d", 10_080, 30);

    private final String text;
    private final int minutes;
    private final int step;

    Window(String text, int minutes, int step) {
      this.text = text;
      this.minutes = minutes;
      this.step = step;
    }

    public String text() {
      return text;
    }

    /** Minutes of one point. */
    public int step() {
      return step;
    }

    public int points() {
      return minutes / step;
    }

    /** The last whole steps before a minute. */
    public HistoryStore.Span before(long minute) {
      long until = Math.floorDiv(minute, step) * step;
      return new HistoryStore.Span(until - minutes, until, step);
    }
  }

  /**
   * A question.
   *
   * @param topics none for the service
   * @param series those to tell
   */
  record Question(List<TopicName> topics, Set<Series> series, Window window) {
    public Question {
      topics = List.copyOf(topics);
      series = Set.copyOf(series);
    }

    /** Points of the answer. */
    public int points() {
      return Math.max(1, topics.size()) * series.size() * window.points();
    }
  }

  /**
   * The points of one topic.
   *
   * @param topic null for the service
   * @param points null is a gap
   */
  record Line(@Nullable TopicName topic, List<@Nullable Figures> points) {}

  /**
   * The points of a window, oldest first.
   *
   * @param from when the first point begins
   * @param step the time of one point
   * @param starts when processes began in the window
   * @param lines in the order of the question
   */
  record History(Instant from, Duration step, List<Instant> starts, List<Line> lines) {}

  /**
   * Answers from the database. Needs {@code peek} or {@code admin} for each topic, and for all
   * topics if none is named; throws {@code DeniedException} without it, {@code NotFoundException}
   * for an unknown topic, {@code SaturatedException} if too many read at a time.
   */
  History read(Caller caller, Question question);
}
