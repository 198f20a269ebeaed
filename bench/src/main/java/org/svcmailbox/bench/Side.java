package org.svcmailbox.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** One of several servers, or one state of a server, that are measured by turns. */
final class Side {
  private static final int SENDERS = 64;

  private final String name;
  private final Server server;
  private final SendLoad sends;
  private final ReceiveLoad receives;
  private final Figures figures;

  Side(String name, Server server, Options options, Figures figures) throws IOException {
    this.name = name;
    this.server = server;
    this.sends = new SendLoad(server.client(), options.work(), name);
    this.receives = new ReceiveLoad(server.client());
    this.figures = figures;
  }

  /** Nothing of it is kept. */
  void warmUp(List<String> topics, Duration lasting) throws IOException, InterruptedException {
    sends.run(String.join(",", topics), SENDERS, lasting);
    receives.run(topics, Long.MAX_VALUE);
  }

  /** Puts so many messages into each of some topics. */
  void fill(List<String> topics, int messages) throws InterruptedException {
    for (String topic : topics) {
      receives.fill(topic, messages);
    }
  }

  /** Takes everything out of some topics. */
  void empty(List<String> topics) throws InterruptedException {
    receives.run(topics, Long.MAX_VALUE);
  }

  /** One turn of SENDs to some topics. */
  void send(List<String> topics, Duration lasting) throws IOException, InterruptedException {
    Duration cpu = server.cpu();
    SendLoad.Result result = sends.run(String.join(",", topics), SENDERS, lasting);
    note("send", result.perSecond(), result.perSecond() * (double) lasting.toSeconds(), cpu);
    figures.add(name + ".send.p99_ms", result.p99Millis());
  }

  /** One turn of RECV and ACK that ends so many messages of some topics. */
  void receive(List<String> topics, long messages) throws InterruptedException {
    Duration cpu = server.cpu();
    ReceiveLoad.Result result = receives.run(topics, messages);
    note("receive", result.perSecond(), (double) messages, cpu);
  }

  private void note(String load, double perSecond, double messages, Duration cpuBefore) {
    figures.add(name + "." + load + ".per_second", perSecond);
    figures.add(
        name + "." + load + ".cpu_us", server.cpu().minus(cpuBefore).toNanos() / 1e3 / messages);
  }

  /** The head of the table that {@link #row} has the rows of. */
  static String head() {
    return """
        | | SEND/s | p99 ms | CPU us | RECV + ACK/s | CPU us |
        |---|---|---|---|---|---|
        """;
  }

  /** The medians of all turns; with those of another side, also as ratios to them. */
  String row(Side other) {
    return String.format(
        "| %s | %s | %.1f | %s | %s | %s |",
        name,
        figure(other, "send.per_second"),
        figures.median(name + ".send.p99_ms"),
        figure(other, "send.cpu_us"),
        figure(other, "receive.per_second"),
        figure(other, "receive.cpu_us"));
  }

  private String figure(Side other, String what) {
    double mine = figures.median(name + "." + what);
    double theirs = figures.median(other.name + "." + what);
    return this == other
        ? String.format("%,.0f", mine)
        : String.format("%,.0f (%.2f)", mine, mine / theirs);
  }
}
