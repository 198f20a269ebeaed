package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * The client library under traffic, minute after minute, while its server is restarted in each:
 * killed in one, stopped in the next. Mailboxes and connections live through all of them, senders
 * and worker loop through one. Each minute has a history of its own, which is judged when
 * everything is answered and handled; what a message of an earlier minute does then is found too,
 * because nobody sent it.
 */
final class ClientSoak {
  private static final String TOPIC = LoadTarget.TOPICS + "client";

  /** Longer than any run: one key is one message all the time. */
  private static final Duration WINDOW = Duration.ofHours(1);

  /** As in the kill tests of the service, though a client sees no places in a shard. */
  private static final int MOST_REORDERED = 32;

  /** Shorter than a restart: what was under way then ends with {@code UNKNOWN}. */
  private static final Duration IMPATIENT = Duration.ofSeconds(1);

  /** Longer than a restart. */
  private static final Duration PATIENT = Duration.ofMinutes(2);

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  /** What a minute's senders saw. */
  private record Traffic(long accepted, long unknown) {}

  private final Options options;
  private final List<ClientSoakMinute> minutes = new ArrayList<>();
  private Server server;

  private ClientSoak(Options options, Server server) {
    this.options = options;
    this.server = server;
  }

  /**
   * Runs it and prints a row for each minute.
   *
   * @throws IllegalStateException if something was lost, unanswered or doubled, or has grown
   */
  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
    ClientSoak soak =
        new ClientSoak(
            options,
            Server.start(
                options.home(), data, options.work().resolve("server.txt"), Bench.SETTINGS));
    try {
      soak.run();
    } finally {
      soak.server.close();
    }
  }

  private void run() throws Exception {
    System.out.printf("%n%s%n", ClientSoakMinute.HEAD);
    try (HttpConnection operator = new HttpConnection(server.operator())) {
      operator.call("PUT", "/v1/topics/" + TOPIC, "{\"t_replay\":\"1h\",\"ready_shards\":2}");
    }
    HttpConnections connections = HttpConnections.builder().build();
    try (HttpMailbox<byte[], byte[]> impatient = mailbox(connections, IMPATIENT);
        HttpMailbox<byte[], byte[]> patient = mailbox(connections, PATIENT)) {
      for (int minute = 1; minute <= options.load().toMinutes(); minute++) {
        Traffic traffic = minute(minute, impatient, patient);
        // Out here nothing refers to the minute's history any more.
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
      server = server.again(options.work().resolve("server." + minute + ".txt"));
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
      found.add("no send met the restart");
    }
    if (!found.isEmpty()) {
      throw new IllegalStateException(String.join("; ", found));
    }
  }
}
