package org.svcmailbox.bench;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.svcmailbox.bench.Comparison.Entrant;

/** A comparison in Markdown. */
final class ComparisonTables {
  private static final String NOTHING = "-";

  private final Comparison comparison;

  ComparisonTables(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The ratios that are to be reached, and whether they are. */
  String goals() {
    StringBuilder text = new StringBuilder("| work | ratio of | wanted | this run | reached |\n");
    text.append("|---|---|---|---|---|\n");
    for (Goal goal : Goal.ALL) {
      OptionalDouble ratio = goal.ratio(comparison);
      if (ratio.isPresent()) {
        double value = ratio.getAsDouble();
        text.append(
            row(
                goal.work(),
                title(goal.ours()) + " to " + title(goal.other()),
                goal.wanted(),
                String.format(Locale.ROOT, "%.2f", value),
                goal.isReached(value) ? "yes" : "no"));
      }
    }
    return text.toString();
  }

  /** A table for each load. */
  String loads() {
    StringBuilder text = new StringBuilder();
    for (Load load : comparison.loads()) {
      text.append("### ").append(load.title()).append("\n\n");
      text.append("| | when it answers | messages/s | p50 ms | p95 ms | p99 ms ");
      text.append("| CPU s per million | generator's | memory MiB |\n");
      text.append("|---|---|---|---|---|---|---|---|---|\n");
      comparison.entrants().forEach(entrant -> text.append(row(entrant, load)));
      text.append('\n');
    }
    return text.toString();
  }

  /** What is left in memory. */
  String heaps() {
    StringBuilder text = new StringBuilder("| | when it answers | heap MiB |\n|---|---|---|\n");
    for (Entrant entrant : comparison.entrants()) {
      Long heap = comparison.heaps().get(entrant.name());
      if (heap != null) {
        text.append(row(entrant.title(), entrant.durability(), heap.toString()));
      }
    }
    return text.toString();
  }

  static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private String row(Entrant entrant, Load load) {
    return row(
        entrant.title(),
        entrant.durability(),
        figure(entrant, load, "%,.0f", one -> one.outcome().perSecond()),
        figure(entrant, load, "%.2f", one -> one.outcome().p50Millis()),
        figure(entrant, load, "%.2f", one -> one.outcome().p95Millis()),
        figure(entrant, load, "%.2f", one -> one.outcome().p99Millis()),
        figure(entrant, load, "%.0f", Measured::cpuPerMillion),
        figure(entrant, load, "%.0f", Measured::generatorCpuPerMillion),
        figure(entrant, load, "%.0f", Measured::mebibytes));
  }

  private String figure(
      Entrant entrant, Load load, String format, ToDoubleFunction<Measured> figure) {
    OptionalDouble median = comparison.median(entrant.name(), load, figure);
    return median.isPresent() ? String.format(Locale.ROOT, format, median.getAsDouble()) : NOTHING;
  }

  private String title(String name) {
    return comparison.entrants().stream()
        .filter(entrant -> entrant.name().equals(name))
        .map(Entrant::title)
        .findFirst()
        .orElse(name);
  }
}
