package org.svcmailbox.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Distribution;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Variant;

/**
 * The scenario {@code start}: the time from launch to ready, in turn with the stock server, and the
 * phases in between.
 */
public final class StartBench {
  private final Options options;
  private final Path stock;

  private StartBench(Options options) throws IOException {
    this.options = options;
    this.stock = Distribution.unpacked(options.home());
  }

  public static void run(Options options) throws Exception {
    new StartBench(options).run();
  }

  private void run() throws IOException {
    var machine = Machine.facts(options.data());
    Progress.say("starting each once, uncounted");
    round(0, new Figures());
    Figures figures = new Figures();
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.round(round, options.rounds());
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
    try (StockServer server = StockServer.start(stock, options.output("stock"))) {
      double cpu = cpuSeconds(server.process());
      figures.add(Variant.STOCK + ".ready_ms", server.readyMillis());
      figures.add(Variant.STOCK + ".cpu_s", cpu);
    }
  }

  private void ours(Variant variant, int round, Figures figures) throws IOException {
    String name = variant.name();
    String output = name + "." + round;
    try (Server server = Server.start(options, name, output, variant.settings())) {
      figures.add(name + ".ready_ms", server.startUp().toNanos() / 1e6);
      figures.add(name + ".cpu_s", cpuSeconds(server.process()));
      FirstSends.measure(server, name, "start-" + round, figures);
      StartLog log =
          StartLog.parse(
              Files.readAllLines(options.output(output)),
              server.launched(),
              ZoneId.systemDefault());
      for (StartPhase phase : StartPhase.ALL) {
        phase.measure(log, name, figures);
      }
    }
  }

  private static double cpuSeconds(ProcessHandle process) throws IOException {
    return new ProcessUsage(process).cpu().toMillis() / 1e3;
  }
}
