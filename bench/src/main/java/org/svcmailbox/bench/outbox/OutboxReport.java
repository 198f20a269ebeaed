package org.svcmailbox.bench.outbox;

import static org.svcmailbox.bench.report.Markdown.each;
import static org.svcmailbox.bench.report.Markdown.fine;
import static org.svcmailbox.bench.report.Markdown.row;
import static org.svcmailbox.bench.report.Markdown.whole;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.report.ReportPage;

/** The tables of the scenario {@code outbox}. A missed goal fails no run. */
final class OutboxReport {
  private static final List<Shown> SHOWN =
      List.of(
          new Shown("record.alone_ms", "ms of the caller's transaction without an event", true),
          new Shown("record.twice_ms", "with a second INSERT of its own", true),
          new Shown("record.recorded_ms", "with `record`", true),
          new Shown("record.scheduled_ms", "with a call that gruelbox schedules", true),
          new Shown("drain.ours", "events/s to a no-op", false),
          new Shown("drain.loop", "the SKIP LOCKED loop's", false),
          new Shown("drain.gruelbox", "gruelbox'", false),
          new Shown("service.ours", "events/s to the service, two publishers", false),
          new Shown("service.alone", "one publisher", false),
          new Shown("service.client", "the batch client's", false),
          new Shown("million.first", "events/s in the first tenth of a long drain", false),
          new Shown("million.last", "in the last tenth", false),
          new Shown("million.open.first", "in the first tenth, another transaction open", false),
          new Shown("million.open.last", "in the last tenth, another transaction open", false),
          new Shown("million.service.first", "in the first tenth, to the service", false),
          new Shown("million.service.last", "in the last tenth, to the service", false),
          new Shown("heap.start", "MiB of heap before a long drain", true),
          new Shown("heap.middle", "in the middle", true),
          new Shown("heap.end", "at the end", true));

  private final Figures figures;
  private final ReportPage page;

  /**
   * A figure without a goal.
   *
   * @param isFine whether it has digits after the point
   */
  private record Shown(String key, String title, boolean isFine) {
    String text(double value) {
      return isFine ? fine(value) : whole(value);
    }
  }

  OutboxReport(Map<String, String> machine, Figures figures, Options options) {
    this.figures = figures;
    page = new ReportPage("outbox", machine, figures, options);
  }

  void publish() throws IOException {
    page.publish(markdown(), Map.of());
  }

  /** The page in docs. */
  String document() throws IOException {
    return page.document(markdown());
  }

  /** The tables of the parts that were measured. */
  String markdown() {
    StringBuilder text = new StringBuilder(page.facts());
    text.append("\n| work | figure | goal | reached | each round |\n|---|---|---|---|---|\n");
    OutboxGoal.ALL.forEach(goal -> text.append(line(goal)));
    text.append("\n| | median | each round |\n|---|---|---|\n");
    SHOWN.forEach(shown -> text.append(line(shown)));
    return text.toString();
  }

  /** Empty if the goal was not measured. */
  private String line(OutboxGoal goal) {
    List<Double> values = figures.of(goal.key());
    if (values.isEmpty()) {
      return "";
    }
    double median = Samples.median(values);
    return row(
        goal.work(),
        fine(median),
        goal.bound().wanted(),
        goal.bound().reached(median),
        each(values));
  }

  private String line(Shown shown) {
    List<Double> values = figures.of(shown.key());
    return values.isEmpty()
        ? ""
        : row(
            shown.title(),
            shown.text(Samples.median(values)),
            values.stream().map(shown::text).collect(Collectors.joining("; ")));
  }
}
