package org.svcmailbox.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.report.Comparison.Entrant;

/** The Markdown tables of a comparison. */
final class ComparisonTables {
  private static final String NOTHING = "-";

  private final Comparison comparison;

  ComparisonTables(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The goals whose contestants were measured, and whether they are reached. */
  String goals() {
    StringBuilder text = new StringBuilder("| work | ratio of | wanted | this run | reached |\n");
    text.append("|---|---|---|---|---|\n");
    for (Goal goal : Goal.ALL) {
      OptionalDouble ratio = goal.ratio(comparison);
      if (ratio.isPresent()) {
        double value = ratio.getAsDouble();
        text.append(
            Markdown.row(
                goal.work(),
                title(goal.ours()) + " to " + title(goal.other()),
                goal.bound().wanted("%.2f"),
                Markdown.fine(value),
                goal.bound().reached(value)));
      }
    }
    return text.toString();
  }

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

  /** Heap of each contestant after the run. */
  String heaps() {
    StringBuilder text = new StringBuilder("| | when it answers | heap MiB |\n|---|---|---|\n");
    for (Entrant entrant : comparison.entrants()) {
      Long heap = comparison.heaps().get(entrant.name());
      if (heap != null) {
        text.append(Markdown.row(entrant.title(), entrant.durability(), heap.toString()));
      }
    }
    return text.toString();
  }

  private String row(Entrant entrant, Load load) {
    return Markdown.row(
        entrant.title(),
        entrant.durability(),
        figure(entrant, load, "%,.0f", one -> one.outcome().perSecond()),
        figure(entrant, load, "%.2f", one -> one.outcome().p50Millis()),
        figure(entrant, load, "%.2f", one -> one.outcome().p95Millis()),
        figure(entrant, load, "%.2f", one -> one.outcome().p99Millis()),
        figure(entrant, load, "%.0f", Measurement::cpuPerMillion),
        figure(entrant, load, "%.0f", Measurement::generatorCpuPerMillion),
        figure(entrant, load, "%.0f", Measurement::mebibytes));
  }

  private String figure(
      Entrant entrant, Load load, String format, ToDoubleFunction<Measurement> figure) {
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
