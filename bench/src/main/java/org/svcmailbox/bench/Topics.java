package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What thousands of topics cost of which ten are used: rates by turns with a server that has only
 * these ten, the heap, and the start.
 */
final class Topics {
  private static final int ALL = 5_000;
  private static final int USED = 10;
  private static final int SHARDS = 4;
  private static final int RECEIVED = 4_000;

  private final Options options;
  private final Figures figures = new Figures();
  private final List<String> used = names(USED);

  private Topics(Options options) {
    this.options = options;
  }

  static void run(Options options) throws Exception {
    new Topics(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.facts(data("few"));
    machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
    System.out.println();
    try (Server few = start("few", "few");
        Server many = start("many", "many")) {
      make(few, USED);
      System.out.printf("made %d topics in %.1f s%n%n", ALL, make(many, ALL));
      measure(few, many);
      System.out.printf("live heap: %d MiB; ten topics %d MiB%n", live(many), live(few));
    }
    restart();
  }

  private void measure(Server few, Server many) throws Exception {
    Side alone = new Side(USED + " topics", few, options, figures);
    Side among = new Side(USED + " of " + ALL, many, options, figures);
    Bench.say("warming up");
    alone.warmUp(used, options.warmUp());
    among.warmUp(used, options.warmUp());
    for (int round = 1; round <= options.rounds(); round++) {
      Bench.say("round " + round + " of " + options.rounds());
      turn(alone);
      turn(among);
    }
    System.out.print(Side.head());
    List.of(alone, among).forEach(side -> System.out.println(side.row(alone)));
    System.out.println();
  }

  /** What was sent is received again, so that no backlog grows. */
  private void turn(Side side) throws Exception {
    side.send(used, options.load());
    side.empty(used);
    side.fill(used, RECEIVED);
    side.receive(used, (long) RECEIVED * USED);
  }

  /** Returns how many seconds it took. */
  private double make(Server server, int count) throws IOException {
    long before = System.nanoTime();
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      for (String topic : names(count)) {
        connection.call("PUT", "/v1/topics/" + topic, "{\"ready_shards\":" + SHARDS + "}");
      }
    }
    return (System.nanoTime() - before) / 1e9;
  }

  private void restart() throws Exception {
    for (String data : List.of("few", "many")) {
      try (Server again = start(data, data + ".restart")) {
        System.out.printf(
            "start-up, %s: %.1f s, live heap %d MiB%n",
            data, again.startUp().toMillis() / 1e3, live(again));
      }
    }
  }

  private long live(Server server) throws IOException, InterruptedException {
    return Heap.liveMebibytes(server.pid(), options.work());
  }

  private Server start(String data, String output) throws IOException {
    return Server.start(
        options.home(), data(data), options.work().resolve(output + ".txt"), Bench.SETTINGS);
  }

  private Path data(String name) throws IOException {
    return Files.createDirectories(options.work().resolve("data").resolve(name));
  }

  /** All of one length, as the load generator needs them. */
  private static List<String> names(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> String.format("%st%04d", LoadTarget.TOPICS, number))
        .toList();
  }
}
