package org.svcmailbox.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import org.svcmailbox.test.net.TestCertificate;

/**
 * The rendezvous door: messages a second beside its peers, the time until a waiter has a message,
 * what waiters and mailboxes take of the heap, and what the open door costs SEND.
 */
final class RendezvousBench {
  /** The parts that can be chosen. */
  static final List<String> PARTS = List.of("pairs", "waiters", "tls", "send");

  static final int CONNECTIONS = 64;
  static final int MANY = 10_000;
  static final int WAKE_UPS = 500;

  private static final int FIRST_WAITERS = 2_000;
  private static final int PORT = 8_090;
  private static final Duration FIRST_LOAD = Duration.ofSeconds(10);

  /** A turn that ends between POST and GET leaves messages, whose mailboxes keep their places. */
  private static final Map<String, String> OPEN =
      Map.of(
          "MAILBOX_RENDEZVOUS_MAX_MAILBOXES", "11000",
          "MAILBOX_RENDEZVOUS_ENABLED", "true",
          "MAILBOX_RENDEZVOUS_AUTH_MODE", "disabled",
          "MAILBOX_RENDEZVOUS_ALLOW", "127.0.0.1/32");

  private final Options options;
  private final Figures figures = new Figures();
  private final List<RendezvousPeer> measured = new ArrayList<>();
  private final RendezvousPeer.Talk talk = RendezvousPeers.postAndGet();
  private int turns;

  private RendezvousBench(Options options) {
    this.options = options;
  }

  static void run(Options options) throws Exception {
    new RendezvousBench(options).run();
  }

  private void run() throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    machine.put("load average before", Machine.loadAverage());
    if (options.has("pairs")) {
      pairs();
    }
    if (options.has("waiters")) {
      try (Server server = start("waiters", OPEN)) {
        memory(server, "plain", SocketFactory.getDefault());
        wakeUps(server);
      }
    }
    if (options.has("tls")) {
      tls(data);
    }
    if (options.has("send")) {
      send();
    }
    RendezvousReport report = new RendezvousReport(machine, figures, measured, options);
    System.out.println(report.markdown());
    report.write(options.work());
    if (options.writesDocs()) {
      Files.writeString(Path.of("docs/RENDEZVOUS_PERFORMANCE.md"), report.document());
    }
  }

  /** All of them run; one at a time is loaded. */
  private void pairs() throws Exception {
    Map<RendezvousPeer, Listener> peers = new LinkedHashMap<>();
    try (Server server = start("pairs", OPEN)) {
      for (RendezvousPeer peer : RendezvousPeers.all()) {
        if (peer.isInstalled()) {
          peers.put(peer, peer.start(options.work()));
        } else {
          Bench.say(peer.title() + ": not installed; " + peer.install());
        }
      }
      measured.addAll(peers.keySet());
      Bench.say("warming up for " + options.warmUp().toSeconds() + " s");
      long end = System.nanoTime() + options.warmUp().toNanos();
      do {
        round(server.at(PORT), peers, new Figures());
      } while (System.nanoTime() - end < 0);
      for (int round = 1; round <= options.rounds(); round++) {
        Bench.say("round " + round + " of " + options.rounds());
        round(server.at(PORT), peers, figures);
      }
    } finally {
      peers.values().forEach(Listener::close);
    }
  }

  /** The door and each peer, one right after the other: what disturbs the machine disturbs both. */
  private void round(URI door, Map<RendezvousPeer, Listener> peers, Figures into)
      throws IOException {
    for (Map.Entry<RendezvousPeer, Listener> each : peers.entrySet()) {
      RendezvousPeer peer = each.getKey();
      URI server = each.getValue().uri();
      double ours = load(door, options.load());
      double theirs =
          DialogueLoop.perSecond(
              server, peer.dialogues(server, ++turns, CONNECTIONS), options.load());
      into.add(RendezvousReport.ours(peer), ours);
      into.add(RendezvousReport.theirs(peer), theirs);
      into.add(RendezvousReport.ratio(peer), ours / theirs);
    }
  }

  private double load(URI door, Duration lasting) throws IOException {
    int turn = ++turns;
    List<Dialogue> dialogues =
        IntStream.range(0, CONNECTIONS)
            .mapToObj(number -> talk.with(door, RendezvousPeer.mailbox(turn, number), number))
            .toList();
    return DialogueLoop.perSecond(door, dialogues, lasting);
  }

  /** Mailboxes that are empty again, and then as many waiters at them. */
  private void memory(Server server, String kind, SocketFactory sockets) throws Exception {
    URI door = server.at(PORT);
    Bench.say("memory, " + kind);
    // The first connections leave pools and caches behind that are no waiter's.
    try (WaitingGets waiting = new WaitingGets(sockets, door, FIRST_WAITERS)) {
      waiting.awaitAll();
    }
    if (kind.equals("plain")) {
      load(door, FIRST_LOAD);
      long before = heap(server);
      fill(door);
      figures.add("mailboxes.kib", (double) (heap(server) - before));
    }
    long before = heap(server);
    long resident = new ProcessUsage(server.process()).mebibytes();
    try (WaitingGets waiting = new WaitingGets(sockets, door, MANY)) {
      waiting.awaitAll();
      figures.add("waiters." + kind + ".kib", (double) (heap(server) - before));
      long more = new ProcessUsage(server.process()).mebibytes() - resident;
      figures.add("waiters." + kind + ".process_mib", (double) more);
    }
  }

  /** Posts to and gets from each of many mailboxes once. */
  private static void fill(URI door) throws IOException {
    try (HttpConnection connection = new HttpConnection(new LoadTarget(door, ""))) {
      for (int number = 0; number < MANY; number++) {
        String mailbox = RendezvousPeer.mailbox(0, number);
        connection.exchange("POST", HttpCall.post(mailbox, "", "x").bytes());
        connection.exchange("GET", HttpCall.get(mailbox).bytes());
      }
    }
  }

  private long heap(Server server) throws IOException, InterruptedException {
    return Heap.liveKibibytes(server.pid(), options.work());
  }

  private void wakeUps(Server server) throws Exception {
    Duration length = FIRST_LOAD.plus(options.load().multipliedBy(options.rounds()));
    Bench.say("wake-ups for " + length.toSeconds() + " s");
    List<Long> nanos = new WakeUps(server.at(PORT), MANY, WAKE_UPS, length).run(FIRST_LOAD);
    for (double percent : RendezvousReport.PERCENTS) {
      figures.add(RendezvousReport.wakeUp(percent), Samples.percentile(nanos, percent) / 1e6);
    }
  }

  private void tls(Path data) throws Exception {
    TestCertificate certificate = TestCertificate.in(data.resolve("certificate"), "a password");
    Map<String, String> settings = new HashMap<>(OPEN);
    settings.putAll(pem(certificate));
    try (Server server = start("tls", settings)) {
      memory(server, "tls", certificate.trusting().getSocketFactory());
    }
  }

  private static Map<String, String> pem(TestCertificate certificate)
      throws IOException, GeneralSecurityException {
    return Map.of(
        "MAILBOX_RENDEZVOUS_TLS_CERT_PATH",
        certificate.certificatePem().toAbsolutePath().toString(),
        "MAILBOX_RENDEZVOUS_TLS_KEY_PATH",
        certificate.keyPem().toAbsolutePath().toString());
  }

  /** SEND to two servers that both run, one at a time loaded, and who is first changes. */
  private void send() throws Exception {
    List<String> topic = List.of(LoadTarget.TOPICS + "send");
    try (Server closed = start("closed", Map.of());
        Server open = start("open", OPEN)) {
      List<Side> sides =
          List.of(
              new Side(RendezvousReport.CLOSED, closed, options, figures),
              new Side(RendezvousReport.OPEN, open, options, figures));
      for (Side side : sides) {
        Bench.say("warming up SEND");
        side.warmUp(topic, options.warmUp());
      }
      for (int round = 0; round < 2 * options.rounds(); round++) {
        for (int turn = 0; turn < 2; turn++) {
          Side side = sides.get((round + turn) % 2);
          side.send(topic, options.load());
          side.empty(topic);
        }
      }
    }
  }

  private Server start(String name, Map<String, String> settings) throws IOException {
    Bench.say("starting the server: " + name);
    Map<String, String> all = new HashMap<>(Bench.SETTINGS);
    all.putAll(settings);
    Path data = Files.createDirectories(options.work().resolve("data").resolve(name));
    return Server.start(options.home(), data, options.work().resolve(name + ".txt"), all);
  }
}
