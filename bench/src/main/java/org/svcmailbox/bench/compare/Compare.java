package org.svcmailbox.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.bench.contestant.Contestant;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.machine.Versions;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.WarmUpTrend;
import org.svcmailbox.bench.report.Comparison;
import org.svcmailbox.bench.report.Comparison.Entrant;
import org.svcmailbox.bench.report.ComparisonReport;
import org.svcmailbox.bench.report.Measurement;

/** The scenario {@code compare}: the same loads for the service and for alternatives, in turn. */
public final class Compare {
  private static final Duration STRETCH = Duration.ofSeconds(4);
  private static final double SHORTEST = 0.3;
  private static final List<Load> WARMING =
      List.of(
          Load.closed(Work.SEND, 64, 1),
          Load.closed(Work.RECV, 64, 1),
          Load.closed(Work.SEND, 64, 10),
          Load.closed(Work.RECV, 64, 10));

  private final Options options;
  private final List<Contestant> contestants;
  private final Comparison comparison;
  private final Turn turn;

  private Compare(Options options) {
    this.options = options;
    this.contestants = Contestants.of(options);
    this.turn = new Turn(options.backlog());
    this.comparison =
        new Comparison(
            contestants.stream()
                .map(one -> new Entrant(one.name(), one.title(), one.durability()))
                .toList());
  }

  public static void run(Options options) throws Exception {
    Path data = options.data();
    Map<String, String> facts = Machine.facts(data);
    facts.put("command", "./bench/run" + options.given());
    facts.put("rounds", Integer.toString(options.rounds()));
    facts.put("each load", options.load().toSeconds() + " s");
    facts.put("warm-up", "at most " + options.warmUp().toSeconds() + " s of load each");
    facts.put("mailbox's settings that are not the defaults", settings());
    Versions.addTo(facts);
    Compare compare = new Compare(options);
    try {
      compare.measure();
      facts.put("load average when it ended", Machine.loadAverage());
      compare.writeDocs(facts);
    } finally {
      compare.contestants.forEach(Contestant::close);
      // A failed run reports what it has measured so far.
      compare.report(facts);
    }
  }

  private void measure() throws Exception {
    for (Contestant contestant : contestants) {
      start(contestant);
      warmUp(contestant);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      for (Load load : options.selection().loads()) {
        Progress.say("round " + round + " of " + options.rounds() + ": " + load.title());
        for (Contestant contestant : contestants) {
          if (contestant.can(load)) {
            measure(contestant, load, round);
          }
        }
      }
    }
    for (Contestant contestant : contestants) {
      if (contestant.isJvm()) {
        long pid = contestant.processes().jvm().pid();
        comparison.addHeap(contestant.name(), Heap.liveMebibytes(pid, options.work()));
      }
    }
  }

  private void start(Contestant contestant) throws Exception {
    Progress.say("starting " + contestant.title());
    contestant.start(Contestants.data(options, contestant), options.output(contestant.name()));
  }

  private void warmUp(Contestant contestant) throws Exception {
    WarmUpTrend warmth = new WarmUpTrend(options.warmUp());
    List<Load> loads = WARMING.stream().filter(contestant::can).toList();
    while (!warmth.isWarm()) {
      double rate = 0;
      for (Load load : loads) {
        rate += turn.measure(contestant, load, Turn.WARMING_UP, STRETCH).outcome().perSecond();
      }
      warmth.add(rate, STRETCH.multipliedBy(loads.size()));
      Progress.say(String.format(Locale.ROOT, "warming up: %,.0f", rate / loads.size()));
    }
  }

  private void measure(Contestant contestant, Load load, int round) throws Exception {
    Measurement measured = turn.measure(contestant, load, round, options.load());
    if (measured.outcome().seconds() < SHORTEST) {
      throw new IllegalStateException(
          "the load was too short to measure, see --backlog: " + measured);
    }
    comparison.add(measured);
    Progress.say(
        String.format(
            Locale.ROOT,
            "  %-26s %,9.0f messages/s",
            contestant.title(),
            measured.outcome().perSecond()));
  }

  private static String settings() {
    return MailboxContestant.SETTINGS.entrySet().stream()
        .map(setting -> "`" + setting + "`")
        .collect(Collectors.joining(", "));
  }

  private void report(Map<String, String> facts) throws IOException {
    if (comparison.all().isEmpty()) {
      return;
    }
    ComparisonReport report = new ComparisonReport(comparison, facts);
    System.out.println(report.summary());
    report.write(options.work());
    Progress.say("every value is in " + options.work().resolve("compare.json"));
  }

  private void writeDocs(Map<String, String> facts) throws IOException {
    if (options.selection().isAll() || options.writesDocs()) {
      new ComparisonReport(comparison, facts).writeDocs(Path.of("docs"));
      Progress.say("docs/PERFORMANCE.md and docs/performance.svg are written");
    }
  }
}
