package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.load.ReceiveLoad;
import org.svcmailbox.bench.load.SendLoad;

/** One of several servers, or one state of a server, measured in turn with the others. */
public final class MeasuredServer {
  private static final int SENDERS = 64;

  private final String name;
  private final Server server;
  private final SendLoad sends;
  private final ReceiveLoad receives;
  private final Figures figures;

  public MeasuredServer(String name, Server server, Path work, Figures figures) throws IOException {
    this.name = name;
    this.server = server;
    this.sends = new SendLoad(server.client(), work, name);
    this.receives = new ReceiveLoad(server.client());
    this.figures = figures;
  }

  /** Sends and receives without recording a figure. */
  public void warmUp(List<String> topics, Duration lasting)
      throws IOException, InterruptedException {
    sends.run(String.join(",", topics), SENDERS, lasting);
    receives.run(topics, Long.MAX_VALUE);
  }

  /** Fills each topic. */
  public void fill(List<String> topics, int messages) throws InterruptedException {
    for (String topic : topics) {
      receives.fill(topic, messages);
    }
  }

  public void empty(List<String> topics) throws InterruptedException {
    receives.run(topics, Long.MAX_VALUE);
  }

  /** Records one turn of SENDs. */
  public void send(List<String> topics, Duration lasting) throws IOException, InterruptedException {
    Duration cpu = server.cpu();
    SendLoad.Result result = sends.run(String.join(",", topics), SENDERS, lasting);
    add("send", result.perSecond(), result.perSecond() * (double) lasting.toSeconds(), cpu);
    figures.add(name + ".send.p99_ms", result.p99Millis());
  }

  /** Records one turn of RECV and ACK of so many messages. */
  public void receive(List<String> topics, long messages) throws InterruptedException {
    Duration cpu = server.cpu();
    ReceiveLoad.Result result = receives.run(topics, messages);
    add("receive", result.perSecond(), (double) messages, cpu);
  }

  private void add(String load, double perSecond, double messages, Duration cpuBefore) {
    figures.add(name + "." + load + ".per_second", perSecond);
    figures.add(
        name + "." + load + ".cpu_us", server.cpu().minus(cpuBefore).toNanos() / 1e3 / messages);
  }

  /** Header of the table of {@link #row}. */
  public static String head() {
    return """
        | | SEND/s | p99 ms | CPU us | RECV + ACK/s | CPU us |
        |---|---|---|---|---|---|
        """;
  }

  /** Medians of all turns, with ratios to those of another server in brackets. */
  public String row(MeasuredServer other) {
    return String.format(
        "| %s | %s | %.1f | %s | %s | %s |",
        name,
        figure(other, "send.per_second"),
        figures.median(name + ".send.p99_ms"),
        figure(other, "send.cpu_us"),
        figure(other, "receive.per_second"),
        figure(other, "receive.cpu_us"));
  }

  private String figure(MeasuredServer other, String what) {
    double mine = figures.median(name + "." + what);
    double theirs = figures.median(other.name + "." + what);
    return this == other
        ? String.format("%,.0f", mine)
        : String.format("%,.0f (%.2f)", mine, mine / theirs);
  }
}
