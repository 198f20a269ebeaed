package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.svcmailbox.test.files.Trees;

/** Measures the laid-out server and the bare broker, by turns, and prints the medians. */
public final class Bench {
  /** Keys stay taken for 300 s, so a long run has more of them than a server expects at rest. */
  static final Map<String, String> SETTINGS = Map.of("MAILBOX_DEDUP_CAPACITY", "100000000");

  private static final String RESULT = "RESULT ";

  private final Options options;
  private final Server server;
  private final SendLoad sends;
  private final ReceiveLoad receives;
  private final Figures figures = new Figures();
  private int topics;

  private Bench(Options options, Server server) throws IOException {
    this.options = options;
    this.server = server;
    LoadTarget client = server.client();
    this.sends = new SendLoad(client, options.work());
    this.receives = new ReceiveLoad(client);
  }

  /** Runs the benchmark; see the README for its options. */
  public static void main(String[] arguments) throws Exception {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Trees.delete(options.work());
    switch (options.scenario()) {
      case COMPARE -> Compare.run(options);
      case SPEED -> speed(options);
      case OVERLOAD -> Overload.run(options);
      case NEIGHBOUR -> Neighbour.run(options);
      case EXPIRY -> Expiry.run(options);
      case LATENCY -> Latency.run(options);
      case TAIL -> Tail.run(options);
      case SOAK -> Soak.run(options);
      case BACKLOG -> Backlog.run(options);
      case TOPICS -> Topics.run(options);
      case START -> Starts.run(options);
      case WARMTH -> RampUp.run(options);
      case CLIENT -> ClientBench.run(options);
      case CLIENT_SOAK -> ClientSoak.run(options);
      case RENDEZVOUS -> RendezvousBench.run(options);
      case OUTBOX -> OutboxBench.run(options);
    }
    Trees.delete(options.work().resolve("data"));
  }

  private static void speed(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    say("starting the server");
    Path output = options.work().resolve("server.txt");
    try (Server server = Server.start(options.home(), data, output, SETTINGS)) {
      Bench bench = new Bench(options, server);
      bench.warmUp();
      bench.measure();
      Report report = new Report(machine, bench.figures, options.rounds());
      System.out.println(report.markdown(options.connections()));
      report.write(options.work().resolve("bench.json"));
    }
    say("every value is in " + options.work().resolve("bench.json"));
  }

  private void warmUp() throws Exception {
    say("warming up for " + options.warmUp().toSeconds() + " s");
    onNewTopic(topic -> sends.run(topic, 64, options.warmUp()));
    onNewTopic(
        topic -> {
          receives.fill(topic, options.backlog());
          receives.run(topic);
        });
  }

  private void measure() throws Exception {
    for (int round = 1; round <= options.rounds(); round++) {
      say("round " + round + " of " + options.rounds());
      for (int connections : options.connections()) {
        onNewTopic(topic -> send(topic, connections));
      }
      onNewTopic(this::receive);
      broker();
    }
  }

  private void send(String topic, int connections) throws Exception {
    Duration cpu = server.cpu();
    long before = System.nanoTime();
    SendLoad.Result result = sends.run(topic, connections, options.load());
    String name = "send." + connections;
    figures.add(name + ".per_second", result.perSecond());
    figures.add(name + ".p50_ms", result.p50Millis());
    figures.add(name + ".p99_ms", result.p99Millis());
    figures.add(name + ".server_cpu", serverShare(cpu, before));
    figures.add(name + ".generator_cpu", result.generatorCpu());
  }

  private void receive(String topic) throws Exception {
    receives.fill(topic, options.backlog());
    Duration cpu = server.cpu();
    long before = System.nanoTime();
    ReceiveLoad.Result result = receives.run(topic);
    figures.add("receive.per_second", result.perSecond());
    figures.add("receive.recv_p50_ms", result.recvP50Millis());
    figures.add("receive.recv_p99_ms", result.recvP99Millis());
    figures.add("receive.ack_p50_ms", result.ackP50Millis());
    figures.add("receive.ack_p99_ms", result.ackP99Millis());
    figures.add("receive.server_cpu", serverShare(cpu, before));
    figures.add("receive.generator_cpu", result.generatorCpu());
  }

  private double serverShare(Duration cpuBefore, long nanosBefore) {
    double elapsed = System.nanoTime() - nanosBefore;
    double used = server.cpu().minus(cpuBefore).toNanos();
    return used / elapsed / Runtime.getRuntime().availableProcessors();
  }

  private void broker() throws Exception {
    Path journal = options.work().resolve("broker");
    Trees.delete(journal);
    List<String> command =
        Children.jvm(
            BrokerBaseline.class,
            journal.toString(),
            Long.toString(options.load().toSeconds() / 2 + 1));
    Duration allowed = options.load().multipliedBy(6).plusMinutes(2);
    String text = Children.run(command, options.work().resolve("broker.txt"), allowed);
    String line = text.lines().filter(one -> one.startsWith(RESULT)).findFirst().orElseThrow();
    JsonNode result = new ObjectMapper().readTree(line.substring(RESULT.length()));
    result
        .properties()
        .forEach(one -> figures.add("broker." + one.getKey(), one.getValue().asDouble()));
    Trees.delete(journal);
  }

  private interface Load {
    void on(String topic) throws Exception;
  }

  /** Each load has a topic of its own, which is gone afterwards with its backlog. */
  private void onNewTopic(Load load) throws Exception {
    String topic = LoadTarget.TOPICS + topics++;
    load.on(topic);
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      connection.call("DELETE", "/v1/topics/" + topic, "");
    }
  }

  static void say(String text) {
    System.err.println(text);
  }
}
