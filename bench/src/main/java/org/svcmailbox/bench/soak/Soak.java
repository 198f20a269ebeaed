package org.svcmailbox.bench.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.BackgroundReceivers;
import org.svcmailbox.bench.load.FixedRate;
import org.svcmailbox.bench.load.HttpSender;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code soak}: SENDs at a steady rate. Nothing may be refused; keys, ledgers, heap,
 * disk and latency have to stay flat.
 */
public final class Soak {
  private static final int PER_SECOND = 3_000;
  private static final String TOPIC = LoadTarget.TOPICS + "soak";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Default of {@code t_replay}. */
  private static final int WINDOW_SECONDS = 300;

  /** A limit that the ledgers reach within minutes, so that they are trimmed continuously. */
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
    this.perSecond = options.rateOr(PER_SECOND);
  }

  /**
   * Runs the scenario and prints a row for each minute.
   *
   * @throws IllegalStateException if a bound is broken or a SEND is refused
   */
  public static void run(Options options) throws Exception {
    Path data = options.data();
    Map<String, String> machine = Machine.facts(data);
    try (Server server = Server.start(options, SETTINGS)) {
      Machine.print(machine);
      new Soak(options, server, data).run();
    }
  }

  private void run() throws Exception {
    System.out.printf("%n%d SENDs a second%n%n%s%n", perSecond, SoakMinute.HEAD);
    LoadTarget client = server.client();
    HttpProtocol protocol = new MailboxProtocol(client, server.operator());
    new TopicAdmin(server.operator()).create(TOPIC, "{}");
    BackgroundReceivers receivers = BackgroundReceivers.begin(client, TOPIC);
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
    // Keys begin with the number of the sender, which must differ each minute.
    int first = minute * load.connections();
    Outcome sent =
        FixedRate.run(
            number -> new HttpSender(client, protocol, TOPIC, first + number), load, MINUTE);
    SoakMinute seen = SoakMinute.of(sent, server, data, options.work());
    minutes.add(seen);
    System.out.println(seen.row(minute));
  }
}
