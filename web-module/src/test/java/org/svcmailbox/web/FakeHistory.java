package org.svcmailbox.web;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryService;
import org.svcmailbox.core.history.Series;

/** A history whose first point is known; records the last question. */
public final class FakeHistory implements HistoryService {
  public volatile @Nullable Question asked;

  @Override
  public History read(Caller caller, Question question) {
    asked = question;
    List<@Nullable Figures> points =
        new ArrayList<>(Collections.nCopies(question.window().points(), null));
    points.set(0, new Figures(Map.of(Series.SENT, 5L, Series.OLDEST_MS, 70L)));
    List<Line> lines =
        question.topics().isEmpty()
            ? List.of(new Line(null, points))
            : question.topics().stream().map(topic -> new Line(topic, points)).toList();
    return new History(
        Instant.EPOCH,
        Duration.ofMinutes(question.window().step()),
        List.of(Instant.EPOCH.plusSeconds(30)),
        lines);
  }
}
