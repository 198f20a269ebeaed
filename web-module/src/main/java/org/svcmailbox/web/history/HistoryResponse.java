package org.svcmailbox.web.history;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryService.History;
import org.svcmailbox.core.history.HistoryService.Line;
import org.svcmailbox.core.history.HistoryService.Question;
import org.svcmailbox.core.history.Series;

/** The points of a window, oldest first. */
record HistoryResponse(
    String window,
    String from,
    String until,
    long stepSeconds,
    List<String> starts,
    List<TopicHistory> histories) {
  /** The points of one topic, or of the service, by series; null is a gap. */
  record TopicHistory(@Nullable String topic, Map<String, List<@Nullable Long>> points) {
    private static TopicHistory of(Line line, Question question) {
      Map<String, List<@Nullable Long>> points = new LinkedHashMap<>();
      Arrays.stream(Series.values())
          .filter(question.series()::contains)
          .forEach(series -> points.put(series.text(), points(line, series)));
      TopicName topic = line.topic();
      return new TopicHistory(topic == null ? null : topic.value(), points);
    }

    private static List<@Nullable Long> points(Line line, Series series) {
      return line.points().stream().map(figures -> value(figures, series)).toList();
    }

    private static @Nullable Long value(@Nullable Figures figures, Series series) {
      return figures == null ? null : (Long) figures.of(series);
    }
  }

  static HistoryResponse of(History history, Question question) {
    return new HistoryResponse(
        question.window().text(),
        Timestamps.text(history.from()),
        Timestamps.text(
            history.from().plus(history.step().multipliedBy(question.window().points()))),
        history.step().toSeconds(),
        history.starts().stream().map(Timestamps::text).toList(),
        history.lines().stream().map(line -> TopicHistory.of(line, question)).toList());
  }
}
