package org.svcmailbox.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.test.files.Trees;

/** How long after a start SENDs are nearly as fast as they get, by turns for each variant. */
final class RampUp {
  private static final String TOPIC = LoadTarget.TOPICS + "warmth";
  private static final int CONNECTIONS = 64;

  private final Options options;
  private final Figures figures = new Figures();
  private final Map<String, List<List<Double>>> perSecond = new LinkedHashMap<>();

  private RampUp(Options options) {
    this.options = options;
  }

  static void run(Options options) throws Exception {
    new RampUp(options).run();
  }

  private void run() throws Exception {
    var machine = Machine.facts(Files.createDirectories(options.work().resolve("data")));
    for (int round = 1; round <= options.rounds(); round++) {
      Bench.say("round " + round + " of " + options.rounds());
      for (Variant variant : options.servers()) {
        note(variant.name(), rates(variant));
      }
    }
    RampReport report = new RampReport(machine, figures, options);
    System.out.print(report.markdown());
    report.write(options.work(), perSecond);
  }

  private void note(String name, List<Double> rates) {
    Ramp ramp = new Ramp(rates);
    figures.add(name + ".peak_per_second", ramp.peak());
    ramp.secondsToNearly().ifPresent(seconds -> figures.add(name + ".warm_s", seconds));
    perSecond.computeIfAbsent(name, any -> new ArrayList<>()).add(rates);
  }

  /** Loads a new server with empty data, and tells what it did in each second. */
  private List<Double> rates(Variant variant) throws Exception {
    Path data = options.work().resolve("data").resolve(variant.name());
    Trees.delete(data);
    Files.createDirectories(data);
    Path output = options.work().resolve(variant.name() + ".txt");
    Map<String, String> settings = new HashMap<>(Bench.SETTINGS);
    settings.putAll(variant.settings());
    try (Server server = Server.start(options.home(), data, output, settings)) {
      long ready = System.nanoTime();
      HttpProtocol protocol = new MailboxProtocol(server.client(), server.operator());
      try (HttpConnection connection = new HttpConnection(server.operator())) {
        connection.exchange("PUT", protocol.create(TOPIC).bytes(() -> ""));
      }
      Draining draining = Draining.begin(server.client(), TOPIC);
      List<Double> rates = rates(server, protocol.send(TOPIC, 1), ready, variant.name());
      draining.end();
      return rates;
    }
  }

  private List<Double> rates(Server server, HttpTemplate send, long ready, String name)
      throws Exception {
    ProcessUsage processes = new ProcessUsage(server.process());
    Duration before = processes.cpu();
    // One more, so that the last second that counts is a whole one.
    List<Double> rates =
        new Wrk(server.uri(), options.work())
            .perSecond(send, CONNECTIONS, options.load().plusSeconds(1), ready);
    figures.add(name + ".cpu_s", processes.cpu().minus(before).toMillis() / 1e3);
    return rates.subList(0, Math.min(rates.size(), (int) options.load().toSeconds()));
  }
}
