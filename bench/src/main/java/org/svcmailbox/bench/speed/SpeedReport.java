package org.svcmailbox.bench.speed;

import static org.svcmailbox.bench.report.Markdown.row;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.load.ReceiveLoad;
import org.svcmailbox.bench.report.Markdown;

/** The tables of the scenario {@code speed}. */
final class SpeedReport {
  private final Map<String, String> machine;
  private final Figures figures;
  private final int rounds;

  SpeedReport(Map<String, String> machine, Figures figures, int rounds) {
    this.machine = machine;
    this.figures = figures;
    this.rounds = rounds;
  }

  String markdown(List<Integer> connections) {
    StringBuilder text = new StringBuilder("## Machine\n\n").append(Markdown.facts(machine));
    text.append("\n## Service over HTTP, 1 KiB payloads (median of ").append(rounds);
    text.append(" rounds)\n\n| load | per second | p50 ms | p99 ms | server CPU | generator CPU |");
    text.append("\n|---|---|---|---|---|---|\n");
    for (int number : connections) {
      text.append(sendRow(number));
    }
    text.append(receiveRow());
    text.append("\n## Broker alone, same durability, in-VM core client\n\n");
    text.append("| load | per second |\n|---|---|\n");
    int cores = Runtime.getRuntime().availableProcessors();
    text.append(row("send, 1 per commit, 1 session", whole("broker.send_1")));
    text.append(row("receive + acknowledge, 1 per commit, 1 session", whole("broker.receive_1")));
    text.append(row("send, 64 per commit, " + cores + " sessions", whole("broker.send_64")));
    text.append(
        row(
            "receive + acknowledge, 64 per commit, " + cores + " sessions",
            whole("broker.receive_64")));
    return text.toString();
  }

  private String sendRow(int connections) {
    String name = "send." + connections;
    return row(
        "SEND, " + connections + (connections == 1 ? " connection" : " connections"),
        whole(name + ".per_second"),
        fine(name + ".p50_ms"),
        fine(name + ".p99_ms"),
        percent(name + ".server_cpu"),
        percent(name + ".generator_cpu"));
  }

  private String receiveRow() {
    String name = "receive";
    return row(
        "RECV of 10 + ACK of 10, " + ReceiveLoad.CONNECTIONS + " connections (messages)",
        whole(name + ".per_second"),
        fine(name + ".recv_p50_ms") + " + " + fine(name + ".ack_p50_ms"),
        fine(name + ".recv_p99_ms") + " + " + fine(name + ".ack_p99_ms"),
        percent(name + ".server_cpu"),
        percent(name + ".generator_cpu"));
  }

  private String whole(String name) {
    return Markdown.whole(figures.median(name));
  }

  private String fine(String name) {
    return Markdown.fine(figures.median(name));
  }

  private String percent(String name) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * figures.median(name));
  }
}
