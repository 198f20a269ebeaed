package org.svcmailbox.bench.speed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.ReceiveLoad;
import org.svcmailbox.bench.load.ResultLine;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.report.FiguresFile;
import org.svcmailbox.test.files.Trees;

/** The scenario {@code speed}: the laid-out server and the bare broker, in turn. */
public final class Speed {
  private final Options options;
  private final Server server;
  private final SendLoad sends;
  private final ReceiveLoad receives;
  private final Figures figures = new Figures();
  private int topics;

  private Speed(Options options, Server server) throws IOException {
    this.options = options;
    this.server = server;
    LoadTarget client = server.client();
    this.sends = new SendLoad(client, options.work());
    this.receives = new ReceiveLoad(client);
  }

  public static void run(Options options) throws Exception {
    Map<String, String> machine = Machine.facts(options.data());
    Progress.say("starting the server");
    Path file = options.work().resolve("bench.json");
    try (Server server = Server.start(options, Server.SETTINGS)) {
      Speed speed = new Speed(options, server);
      speed.warmUp();
      speed.measure();
      SpeedReport report = new SpeedReport(machine, speed.figures, options.rounds());
      System.out.println(report.markdown(options.connections()));
      new FiguresFile(machine, speed.figures, options.rounds()).write(file, Map.of());
    }
    Progress.say("every value is in " + file);
  }

  private void warmUp() throws Exception {
    Progress.say("warming up for " + options.warmUp().toSeconds() + " s");
    onNewTopic(topic -> sends.run(topic, 64, options.warmUp()));
    onNewTopic(
        topic -> {
          receives.fill(topic, options.backlog());
          receives.run(topic);
        });
  }

  private void measure() throws Exception {
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.round(round, options.rounds());
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
        ChildProcesses.jvm(
            BrokerBaseline.class,
            journal.toString(),
            Long.toString(options.load().toSeconds() / 2 + 1));
    Duration timeout = options.load().multipliedBy(6).plusMinutes(2);
    JsonNode result =
        ResultLine.parse(ChildProcesses.run(command, options.output("broker"), timeout));
    result
        .properties()
        .forEach(one -> figures.add("broker." + one.getKey(), one.getValue().asDouble()));
    Trees.delete(journal);
  }

  private interface OnTopic {
    void run(String topic) throws Exception;
  }

  /** Gives each load a topic of its own, so that none inherits a backlog. */
  private void onNewTopic(OnTopic load) throws Exception {
    String topic = LoadTarget.TOPICS + topics++;
    load.run(topic);
    new TopicAdmin(server.operator()).delete(topic);
  }
}
