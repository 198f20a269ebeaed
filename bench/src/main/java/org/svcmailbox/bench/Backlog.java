package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a topic costs in which a million messages wait: SEND and RECV + ACK, by turns with a server
 * without any, the heap, and the start with them and with the keys of all that was sent.
 */
final class Backlog {
  private static final List<String> FULL = List.of(LoadTarget.TOPICS + "backlog");
  private static final List<String> BESIDE = List.of(LoadTarget.TOPICS + "beside");
  private static final List<String> EMPTY = List.of(LoadTarget.TOPICS + "empty");
  private static final int RECEIVED = 40_000;
  private static final Pattern KEYS =
      Pattern.compile("bound_used\\{bound=\"dedup_capacity\"[^}]*} (\\S+)");

  private final Options options;
  private final Figures figures = new Figures();

  private Backlog(Options options) {
    this.options = options;
  }

  static void run(Options options) throws Exception {
    new Backlog(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.facts(data("empty"));
    machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
    System.out.println();
    long left;
    try (Server empty = start("empty", "empty");
        Server full = start("full", "full")) {
      measure(empty, full);
      System.out.printf("live heap: %d MiB; empty %d MiB%n%n", live(full), live(empty));
      left = ready(full);
    }
    restart(left);
  }

  private void measure(Server empty, Server full) throws Exception {
    Side without = new Side("empty", empty, options, figures);
    Side with = new Side("backlog", full, options, figures);
    Side beside = new Side("topic beside", full, options, figures);
    Bench.say("warming up");
    without.warmUp(EMPTY, options.warmUp());
    with.warmUp(FULL, options.warmUp());
    Bench.say("filling with " + options.backlog() + " messages");
    long before = System.nanoTime();
    with.fill(FULL, options.backlog());
    double seconds = (System.nanoTime() - before) / 1e9;
    System.out.printf(
        "filled with %,d messages, %,.0f/s%n%n", options.backlog(), options.backlog() / seconds);
    for (int round = 1; round <= options.rounds(); round++) {
      Bench.say("round " + round + " of " + options.rounds());
      turn(without, empty, EMPTY);
      with.send(FULL, options.load());
      with.receive(FULL, RECEIVED);
      turn(beside, full, BESIDE);
    }
    System.out.print(Side.head());
    List.of(without, with, beside).forEach(side -> System.out.println(side.row(without)));
    System.out.println();
  }

  /** On a topic that is empty before and afterwards. */
  private void turn(Side side, Server server, List<String> topics) throws Exception {
    side.send(topics, options.load());
    delete(server, topics);
    side.fill(topics, RECEIVED);
    side.receive(topics, RECEIVED);
    delete(server, topics);
  }

  private static void delete(Server server, List<String> topics) throws IOException {
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      connection.call("DELETE", "/v1/topics/" + topics.get(0), "");
    }
  }

  /** The first server has been stopped by a signal. */
  private void restart(long left) throws Exception {
    try (Server again = start("full", "restart")) {
      told("start-up after SIGTERM", again, left);
      again.kill();
    }
    try (Server again = start("full", "recovery")) {
      told("start-up after kill -9", again, left);
    }
  }

  private void told(String what, Server server, long left) throws Exception {
    System.out.printf(
        "%s: %.1f s with %,d messages and %,d keys; live heap %d MiB%n",
        what, server.startUp().toMillis() / 1e3, ready(server), keys(server), live(server));
    if (ready(server) != left) {
      throw new IllegalStateException("there were " + left + " messages");
    }
    if (keys(server) < options.backlog()) {
      throw new IllegalStateException("a key went before its time");
    }
  }

  private static long keys(Server server) throws IOException {
    Matcher used = KEYS.matcher(server.metrics());
    if (!used.find()) {
      throw new IllegalStateException("no metric says how many keys there are");
    }
    return (long) Double.parseDouble(used.group(1));
  }

  private static long ready(Server server) throws IOException {
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      String status = connection.call("GET", "/v1/topics/" + FULL.get(0), "");
      return new ObjectMapper().readTree(status).path("ready").asLong();
    }
  }

  private long live(Server server) throws IOException, InterruptedException {
    return Heap.liveMebibytes(server.pid(), options.work());
  }

  private Server start(String data, String output) throws IOException {
    Map<String, String> settings = new HashMap<>(Bench.SETTINGS);
    settings.put("MAILBOX_RETENTION_READY_COUNT", "100000000");
    // Keys outlive the run: the start has to load them.
    settings.put("MAILBOX_T_REPLAY", "2h");
    return Server.start(
        options.home(), data(data), options.work().resolve(output + ".txt"), settings);
  }

  private Path data(String name) throws IOException {
    return Files.createDirectories(options.work().resolve("data").resolve(name));
  }
}
