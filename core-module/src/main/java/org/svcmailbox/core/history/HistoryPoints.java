package org.svcmailbox.core.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.HistoryStore.Step;

/** Merges stored steps into points. Pure. */
public final class HistoryPoints {
  private HistoryPoints() {}

  /** The points of the service; null where it has no row. */
  public static List<@Nullable Figures> ofService(Span span, List<Step> service) {
    List<@Nullable Figures> points = gaps(span);
    service.forEach(step -> points.set(step.point(), step.figures()));
    return points;
  }

  /**
   * The points of a topic. Without a row it was zero, if a minute of the step has the rows of all
   * topics; otherwise the point is null.
   */
  public static List<@Nullable Figures> ofTopic(Span span, List<Step> service, List<Step> topic) {
    List<@Nullable Figures> points = gaps(span);
    service.stream()
        .filter(Step::isComplete)
        .forEach(step -> points.set(step.point(), Figures.NONE));
    topic.forEach(step -> points.set(step.point(), step.figures()));
    return points;
  }

  private static List<@Nullable Figures> gaps(Span span) {
    return new ArrayList<>(Collections.nCopies(span.points(), null));
  }
}
