package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.bench.Comparison.Entrant;

/** The same work for the service and for what one would use in its place, by turns. */
final class Compare {
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

  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
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
      // Also what was measured until something failed.
      compare.tell(facts);
    }
  }

  private void measure() throws Exception {
    for (Contestant contestant : contestants) {
      start(contestant);
      warmUp(contestant);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      for (Load load : options.selection().loads()) {
        Bench.say("round " + round + " of " + options.rounds() + ": " + load.title());
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
    Bench.say("starting " + contestant.title());
    contestant.start(
        Contestants.data(options, contestant), options.work().resolve(contestant.name() + ".txt"));
  }

  private void warmUp(Contestant contestant) throws Exception {
    Warmth warmth = new Warmth(options.warmUp());
    List<Load> loads = WARMING.stream().filter(contestant::can).toList();
    while (!warmth.isWarm()) {
      double rate = 0;
      for (Load load : loads) {
        rate += turn.measure(contestant, load, Turn.WARMING_UP, STRETCH).outcome().perSecond();
      }
      warmth.add(rate, STRETCH.multipliedBy(loads.size()));
      Bench.say(String.format(Locale.ROOT, "warming up: %,.0f", rate / loads.size()));
    }
  }

  private void measure(Contestant contestant, Load load, int round) throws Exception {
    Measured measured = turn.measure(contestant, load, round, options.load());
    if (measured.outcome().seconds() < SHORTEST) {
      throw new IllegalStateException("too little to measure, see --backlog: " + measured);
    }
    comparison.add(measured);
    Bench.say(
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

  private void tell(Map<String, String> facts) throws IOException {
    if (comparison.all().isEmpty()) {
      return;
    }
    ComparisonReport report = new ComparisonReport(comparison, facts);
    System.out.println(report.summary());
    report.write(options.work());
    Bench.say("every value is in " + options.work().resolve("compare.json"));
  }

  private void writeDocs(Map<String, String> facts) throws IOException {
    if (options.selection().isAll() || options.writesDocs()) {
      new ComparisonReport(comparison, facts).writeDocs(Path.of("docs"));
      Bench.say("docs/PERFORMANCE.md and docs/performance.svg are written");
    }
  }
}
