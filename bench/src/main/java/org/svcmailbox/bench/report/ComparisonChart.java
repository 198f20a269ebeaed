package org.svcmailbox.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.report.Comparison.Entrant;

/** A bar chart of the rates, one group of bars for each load. */
final class ComparisonChart {
  private static final int WIDTH = 860;
  private static final int LABELS = 200;
  private static final int BARS = 320;
  private static final int BAR = 14;
  private static final int STEP = 19;
  private static final int TITLE = 22;
  private static final int GAP = 14;
  private static final List<String> COLORS =
      List.of(
          "#1b6ca8", "#4fa3d1", "#8fc1e3", "#c8553d", "#e09f3e", "#588157", "#7b6d8d", "#d1495b",
          "#2a9d8f", "#6b4226", "#b5838d", "#9a9a9a");

  private final Comparison comparison;
  private final List<Load> loads;

  ComparisonChart(Comparison comparison) {
    this.comparison = comparison;
    // At a fixed rate all rates are equal.
    this.loads = comparison.loads().stream().filter(load -> load.work() != Work.RATE).toList();
  }

  String svg() {
    StringBuilder bars = new StringBuilder();
    int y = TITLE + GAP;
    for (Load load : loads) {
      y = group(bars, load, y) + GAP;
    }
    String head =
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
        font-family="sans-serif" font-size="12">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        """
            .formatted(WIDTH, y);
    return head
        + text(8, TITLE, "bold", "Messages a second, medians; each group has a scale of its own")
        + bars
        + "</svg>\n";
  }

  /** Adds a group below {@code top} and returns its end. */
  private int group(StringBuilder bars, Load load, int top) {
    double most =
        comparison.entrants().stream()
            .map(entrant -> comparison.rate(entrant.name(), load))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .max()
            .orElse(1);
    bars.append(text(8, top + BAR, "bold", load.title()));
    int y = top + TITLE;
    for (int i = 0; i < comparison.entrants().size(); i++) {
      Entrant entrant = comparison.entrants().get(i);
      OptionalDouble rate = comparison.rate(entrant.name(), load);
      if (rate.isPresent()) {
        bars.append(bar(entrant, rate.getAsDouble(), most, COLORS.get(i % COLORS.size()), y));
        y += STEP;
      }
    }
    return y;
  }

  private static String bar(Entrant entrant, double rate, double most, String color, int y) {
    long length = Math.max(1, Math.round(BARS * rate / most));
    String figure = String.format(Locale.ROOT, "%,.0f", rate) + " (" + entrant.durability() + ")";
    return text(8, y + 11, "normal", entrant.title())
        + "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n"
            .formatted(LABELS, y, length, BAR, color)
        + text(LABELS + length + 6, y + 11, "normal", figure);
  }

  private static String text(long x, int y, String weight, String text) {
    String safe = text.replace("&", "&amp;").replace("<", "&lt;");
    return "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>%n".formatted(x, y, weight, safe);
  }
}
