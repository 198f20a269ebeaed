package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A steady rate of SENDs for as long as one likes, minute after minute: nothing may be refused, and
 * keys, ledgers, heap, disk and latency have to stay where they were.
 */
final class Soak {
  private static final int PER_SECOND = 3_000;
  private static final String TOPIC = LoadTarget.TOPICS + "soak";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The default of {@code t_replay}. */
  private static final int WINDOW_SECONDS = 300;

  /** Few enough that the ledgers reach their bound within minutes and are trimmed all the time. */
  private static final long LEDGER_MEBIBYTES = 64;

  private static final Map<String, String> SETTINGS =
      Map.of("MAILBOX_RETENTION_LEDGER_BYTES", Long.toString(LEDGER_MEBIBYTES << 20));

  private final Options options;
  private final Server server;
  private final Path data;
  private final int perSecond;
  private final List<SoakMinute> minutes = new ArrayList<>();

  private Soak(Options options, Server server, Path data) {
    this.options = options;
    this.server = server;
    this.data = data;
    this.perSecond = options.rate() > 0 ? options.rate() : PER_SECOND;
  }

  /**
   * Runs it and prints a row for each minute.
   *
   * @throws IllegalStateException naming every bound that was broken, or that a SEND was refused
   */
  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    Path output = options.work().resolve("server.txt");
    try (Server server = Server.start(options.home(), data, output, SETTINGS)) {
      machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
      new Soak(options, server, data).run();
    }
  }

  private void run() throws Exception {
    System.out.printf("%n%d SENDs a second%n%n%s%n", perSecond, SoakMinute.HEAD);
    LoadTarget client = server.client();
    HttpProtocol protocol = new MailboxProtocol(client, server.operator());
    try (HttpConnection operator = new HttpConnection(server.operator())) {
      operator.call("PUT", "/v1/topics/" + TOPIC, "{}");
    }
    Draining receivers = Draining.begin(client, TOPIC);
    for (int minute = 1; minute <= options.load().toMinutes(); minute++) {
      load(client, protocol, minute);
    }
    receivers.end();
    List<String> broken =
        new SoakBounds(perSecond, WINDOW_SECONDS, LEDGER_MEBIBYTES).violations(minutes);
    if (!broken.isEmpty()) {
      throw new IllegalStateException(String.join("; ", broken));
    }
  }

  private void load(LoadTarget client, HttpProtocol protocol, int minute)
      throws IOException, InterruptedException {
    Load load = Load.atRate(perSecond);
    // Its keys begin with the sender's number: other ones each minute.
    int first = minute * load.connections();
    Outcome sent =
        FixedRate.run(
            number -> new HttpSender(client, protocol, TOPIC, first + number), load, MINUTE);
    SoakMinute seen = SoakMinute.of(sent, server, data, options.work());
    minutes.add(seen);
    System.out.println(seen.row(minute));
  }
}
