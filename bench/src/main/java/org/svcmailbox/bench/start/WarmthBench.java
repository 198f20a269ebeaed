package org.svcmailbox.bench.start;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.HttpTemplate;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.BackgroundReceivers;
import org.svcmailbox.bench.load.Wrk;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Variant;
import org.svcmailbox.test.files.Trees;

/**
 * The scenario {@code warmth}: the time from ready until SENDs are nearly at their peak, for each
 * variant in turn.
 */
public final class WarmthBench {
  private static final String TOPIC = LoadTarget.TOPICS + "warmth";
  private static final int CONNECTIONS = 64;

  private final Options options;
  private final Figures figures = new Figures();
  private final Map<String, List<List<Double>>> perSecond = new LinkedHashMap<>();

  private WarmthBench(Options options) {
    this.options = options;
  }

  public static void run(Options options) throws Exception {
    new WarmthBench(options).run();
  }

  private void run() throws Exception {
    var machine = Machine.facts(options.data());
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.round(round, options.rounds());
      for (Variant variant : options.servers()) {
        add(variant.name(), rates(variant));
      }
    }
    WarmthReport report = new WarmthReport(machine, figures, options);
    System.out.print(report.markdown());
    report.write(options.work(), perSecond);
  }

  private void add(String name, List<Double> rates) {
    Ramp ramp = new Ramp(rates);
    figures.add(name + ".peak_per_second", ramp.peak());
    ramp.secondsToNearly().ifPresent(seconds -> figures.add(name + ".warm_s", seconds));
    perSecond.computeIfAbsent(name, any -> new ArrayList<>()).add(rates);
  }

  /** Loads a new server with empty data and returns the SENDs of each second. */
  private List<Double> rates(Variant variant) throws Exception {
    Trees.delete(options.data(variant.name()));
    Map<String, String> settings = new HashMap<>(Server.SETTINGS);
    settings.putAll(variant.settings());
    try (Server server = Server.start(options, variant.name(), variant.name(), settings)) {
      long ready = System.nanoTime();
      HttpProtocol protocol = new MailboxProtocol(server.client(), server.operator());
      new TopicAdmin(server.operator()).create(TOPIC, "{}");
      BackgroundReceivers receivers = BackgroundReceivers.begin(server.client(), TOPIC);
      List<Double> rates = rates(server, protocol.send(TOPIC, 1), ready, variant.name());
      receivers.end();
      return rates;
    }
  }

  private List<Double> rates(Server server, HttpTemplate send, long ready, String name)
      throws Exception {
    ProcessUsage processes = new ProcessUsage(server.process());
    Duration before = processes.cpu();
    // One second more, so that the last one that counts is complete.
    List<Double> rates =
        new Wrk(server.uri(), options.work())
            .perSecond(send, CONNECTIONS, options.load().plusSeconds(1), ready);
    figures.add(name + ".cpu_s", processes.cpu().minus(before).toMillis() / 1e3);
    return rates.subList(0, Math.min(rates.size(), (int) options.load().toSeconds()));
  }
}
