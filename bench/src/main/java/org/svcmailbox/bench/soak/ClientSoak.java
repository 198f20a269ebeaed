package org.svcmailbox.bench.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * The scenario {@code client-soak}: the client library under traffic while its server is killed in
 * one minute and stopped in the next. Mailboxes and connections live through the run, senders and
 * worker loop through one minute. The history of a minute is checked once everything is answered
 * and handled; a message of an earlier minute would be reported as invented.
 */
public final class ClientSoak {
  private static final String TOPIC = LoadTarget.TOPICS + "client";

  /** Longer than any run, so that a key is one message throughout. */
  private static final Duration WINDOW = Duration.ofHours(1);

  /** The limit of the kill tests of the service. */
  private static final int MOST_REORDERED = 32;

  /** Shorter than a restart, so that some sends end with {@code UNKNOWN}. */
  private static final Duration IMPATIENT = Duration.ofSeconds(1);

  /** Longer than a restart. */
  private static final Duration PATIENT = Duration.ofMinutes(2);

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private record Traffic(long accepted, long unknown) {}

  private final Options options;
  private final List<ClientSoakMinute> minutes = new ArrayList<>();
  private Server server;

  private ClientSoak(Options options, Server server) {
    this.options = options;
    this.server = server;
  }

  /**
   * Runs the scenario and prints a row for each minute.
   *
   * @throws IllegalStateException if a message was lost or duplicated, a send unanswered, or a
   *     figure grew
   */
  public static void run(Options options) throws Exception {
    Machine.print(Machine.facts(options.data()));
    ClientSoak soak = new ClientSoak(options, Server.start(options, Server.SETTINGS));
    try {
      soak.run();
    } finally {
      soak.server.close();
    }
  }

  private void run() throws Exception {
    System.out.printf("%n%s%n", ClientSoakMinute.HEAD);
    new TopicAdmin(server.operator()).create(TOPIC, "{\"t_replay\":\"1h\",\"ready_shards\":2}");
    HttpConnections connections = HttpConnections.builder().build();
    try (HttpMailbox<byte[], byte[]> impatient = mailbox(connections, IMPATIENT);
        HttpMailbox<byte[], byte[]> patient = mailbox(connections, PATIENT)) {
      for (int minute = 1; minute <= options.load().toMinutes(); minute++) {
        Traffic traffic = minute(minute, impatient, patient);
        // Measured out here, where the history of the minute is garbage.
        ClientSoakMinute seen = ClientSoakMinute.now(traffic.accepted(), traffic.unknown());
        minutes.add(seen);
        System.out.println(seen.row(minute));
      }
    }
    List<String> grown = ClientSoakMinute.grown(minutes);
    if (!grown.isEmpty()) {
      throw new IllegalStateException(String.join("; ", grown));
    }
  }

  private HttpMailbox<byte[], byte[]> mailbox(HttpConnections connections, Duration sendTimeout)
      throws IOException {
    LoadTarget target = server.operator();
    return HttpMailbox.builder(
            target.server(), TokenSource.of(target.token()), TOPIC, Codecs.bytes(), Codecs.bytes())
        .connections(connections)
        .sendTimeout(sendTimeout)
        .build();
  }

  private Traffic minute(
      int minute, HttpMailbox<byte[], byte[]> impatient, HttpMailbox<byte[], byte[]> patient)
      throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    try (MailboxDrill drill =
        new MailboxDrill(
            "m" + minute + ".",
            List.of(impatient, patient),
            patient,
            LEASE,
            recorder,
            new Random(minute))) {
      drill.start();
      LockSupport.parkNanos(HALF_A_MINUTE.toNanos());
      recorder.crash(minute % 2 == 1 ? server::kill : server::close);
      server = server.again(options.output("server." + minute));
      LockSupport.parkNanos(HALF_A_MINUTE.toNanos() - server.startUp().toNanos());
      TopicEnd end = drill.drain();
      judge(drill, recorder, end);
      return new Traffic(drill.accepted(), drill.unknown());
    }
  }

  private static void judge(MailboxDrill drill, HistoryRecorder recorder, TopicEnd end) {
    List<String> found = new ArrayList<>(drill.findings());
    new HistoryChecker(WINDOW, MOST_REORDERED)
        .check(recorder.history(), List.of(end))
        .forEach(violation -> found.add(violation.toString()));
    if (drill.unknown() == 0) {
      found.add("no send was under way during the restart");
    }
    if (!found.isEmpty()) {
      throw new IllegalStateException(String.join("; ", found));
    }
  }
}
