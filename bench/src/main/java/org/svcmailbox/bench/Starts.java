package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;

/**
 * How long a start takes until it is ready, by turns with the same server that has nothing to
 * deploy, and what ours does meanwhile.
 */
final class Starts {
  private final Options options;
  private final Path stock;

  private Starts(Options options) throws IOException {
    this.options = options;
    this.stock = Distribution.unpacked(options.home());
  }

  static void run(Options options) throws Exception {
    new Starts(options).run();
  }

  private void run() throws IOException {
    var machine = Machine.facts(Files.createDirectories(options.work().resolve("data")));
    Bench.say("one start of each that does not count");
    round(0, new Figures());
    Figures figures = new Figures();
    for (int round = 1; round <= options.rounds(); round++) {
      Bench.say("round " + round + " of " + options.rounds());
      round(round, figures);
    }
    StartReport report = new StartReport(machine, figures, options);
    System.out.print(report.markdown());
    report.write(options.work());
  }

  private void round(int round, Figures figures) throws IOException {
    stock(figures);
    for (Variant variant : options.servers()) {
      ours(variant, round, figures);
    }
  }

  private void stock(Figures figures) throws IOException {
    try (StockServer server = StockServer.start(stock, options.work().resolve("stock.txt"))) {
      double cpu = cpuSeconds(server.process());
      figures.add(StartReport.STOCK + ".ready_ms", server.readyMillis());
      figures.add(StartReport.STOCK + ".cpu_s", cpu);
    }
  }

  private void ours(Variant variant, int round, Figures figures) throws IOException {
    String name = variant.name();
    Path data = Files.createDirectories(options.work().resolve("data").resolve(name));
    Path output = options.work().resolve(name + "." + round + ".txt");
    try (Server server = Server.start(options.home(), data, output, variant.settings())) {
      figures.add(name + ".ready_ms", server.startUp().toNanos() / 1e6);
      figures.add(name + ".cpu_s", cpuSeconds(server.process()));
      FirstSends.measure(server, name, "start-" + round, figures);
      StartLog log =
          StartLog.parse(Files.readAllLines(output), server.launched(), ZoneId.systemDefault());
      for (StartPhase phase : StartPhase.ALL) {
        phase.measure(log, name, figures);
      }
    }
  }

  private static double cpuSeconds(ProcessHandle process) throws IOException {
    return new ProcessUsage(process).cpu().toMillis() / 1e3;
  }
}
