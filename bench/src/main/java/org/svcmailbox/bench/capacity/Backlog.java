package org.svcmailbox.bench.capacity;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.MeasuredServer;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code backlog}: a server with a million waiting messages and an empty one, in turn:
 * SEND, RECV and ACK, heap, and the start with all messages and keys.
 */
public final class Backlog {
  private static final List<String> FULL = List.of(LoadTarget.TOPICS + "backlog");
  private static final List<String> BESIDE = List.of(LoadTarget.TOPICS + "beside");
  private static final List<String> EMPTY = List.of(LoadTarget.TOPICS + "empty");
  private static final int RECEIVED = 40_000;

  private final Options options;
  private final Figures figures = new Figures();

  private Backlog(Options options) {
    this.options = options;
  }

  public static void run(Options options) throws Exception {
    new Backlog(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.facts(options.data("empty"));
    Machine.print(machine);
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
    MeasuredServer without = new MeasuredServer("empty", empty, options.work(), figures);
    MeasuredServer with = new MeasuredServer("backlog", full, options.work(), figures);
    MeasuredServer beside = new MeasuredServer("topic beside", full, options.work(), figures);
    Progress.say("warming up");
    without.warmUp(EMPTY, options.warmUp());
    with.warmUp(FULL, options.warmUp());
    Progress.say("filling with " + options.backlog() + " messages");
    long before = System.nanoTime();
    with.fill(FULL, options.backlog());
    double seconds = (System.nanoTime() - before) / 1e9;
    System.out.printf(
        "filled with %,d messages, %,.0f/s%n%n", options.backlog(), options.backlog() / seconds);
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.round(round, options.rounds());
      turn(without, empty, EMPTY);
      with.send(FULL, options.load());
      with.receive(FULL, RECEIVED);
      turn(beside, full, BESIDE);
    }
    System.out.print(MeasuredServer.head());
    List.of(without, with, beside).forEach(side -> System.out.println(side.row(without)));
    System.out.println();
  }

  /** Measures a topic that is empty before and after. */
  private void turn(MeasuredServer side, Server server, List<String> topics) throws Exception {
    side.send(topics, options.load());
    delete(server, topics);
    side.fill(topics, RECEIVED);
    side.receive(topics, RECEIVED);
    delete(server, topics);
  }

  private static void delete(Server server, List<String> topics) throws IOException {
    new TopicAdmin(server.operator()).delete(topics.get(0));
  }

  /** Starts the full server again, after SIGTERM and after SIGKILL. */
  private void restart(long left) throws Exception {
    try (Server again = start("full", "restart")) {
      report("start-up after SIGTERM", again, left);
      again.kill();
    }
    try (Server again = start("full", "recovery")) {
      report("start-up after kill -9", again, left);
    }
  }

  private void report(String start, Server server, long left) throws Exception {
    System.out.printf(
        "%s: %.1f s with %,d messages and %,d keys; live heap %d MiB%n",
        start,
        server.startUp().toMillis() / 1e3,
        ready(server),
        server.metrics().used("dedup_capacity"),
        live(server));
    if (ready(server) != left) {
      throw new IllegalStateException("the server lost messages: there were " + left);
    }
    if (server.metrics().used("dedup_capacity") < options.backlog()) {
      throw new IllegalStateException("the server lost keys");
    }
  }

  private static long ready(Server server) throws IOException {
    return new TopicAdmin(server.operator()).status(FULL.get(0)).path("ready").asLong();
  }

  private long live(Server server) throws IOException, InterruptedException {
    return Heap.liveMebibytes(server.pid(), options.work());
  }

  private Server start(String data, String output) throws IOException {
    Map<String, String> settings = new HashMap<>(Server.SETTINGS);
    settings.put("MAILBOX_RETENTION_READY_COUNT", "100000000");
    // Keys outlive the run, so the start has to load them.
    settings.put("MAILBOX_T_REPLAY", "2h");
    return Server.start(options, data, output, settings);
  }
}
