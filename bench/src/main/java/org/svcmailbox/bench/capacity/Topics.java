package org.svcmailbox.bench.capacity;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.svcmailbox.bench.contestant.MeasuredServer;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code topics}: a server with 5,000 topics, of which ten are used, and one with
 * these ten, in turn: rates, heap and start.
 */
public final class Topics {
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

  public static void run(Options options) throws Exception {
    new Topics(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.facts(options.data("few"));
    Machine.print(machine);
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
    MeasuredServer alone = new MeasuredServer(USED + " topics", few, options.work(), figures);
    MeasuredServer among = new MeasuredServer(USED + " of " + ALL, many, options.work(), figures);
    Progress.say("warming up");
    alone.warmUp(used, options.warmUp());
    among.warmUp(used, options.warmUp());
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.round(round, options.rounds());
      turn(alone);
      turn(among);
    }
    System.out.print(MeasuredServer.head());
    List.of(alone, among).forEach(side -> System.out.println(side.row(alone)));
    System.out.println();
  }

  /** Receives what it sent, so that no backlog grows. */
  private void turn(MeasuredServer side) throws Exception {
    side.send(used, options.load());
    side.empty(used);
    side.fill(used, RECEIVED);
    side.receive(used, (long) RECEIVED * USED);
  }

  /** Creates topics and returns the seconds it took. */
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
    return Server.start(options, data, output, Server.SETTINGS);
  }

  /** Names of equal length, as {@code send.lua} requires. */
  private static List<String> names(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> String.format("%st%04d", LoadTarget.TOPICS, number))
        .toList();
  }
}
