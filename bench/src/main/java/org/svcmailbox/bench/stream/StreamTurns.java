package org.svcmailbox.bench.stream;

import java.io.IOException;
import java.time.Duration;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.ReceiveLoad;
import org.svcmailbox.bench.machine.CpuClock;

/** Measures turns on one server, each on a topic of its own. */
final class StreamTurns {
  /** The filler's connections send batches of a hundred. */
  private static final int WHOLE = ReceiveLoad.CONNECTIONS * 100;

  private final Server server;
  private final TopicAdmin topics;
  private final ReceiveLoad filler;
  private int turns;

  StreamTurns(Server server, LoadTarget client) throws IOException {
    this.server = server;
    this.topics = new TopicAdmin(server.operator());
    this.filler = new ReceiveLoad(client);
  }

  /** One turn on a topic. */
  interface Turn<T> {
    T on(String topic) throws Exception;
  }

  /** Runs a turn on a new topic, which is deleted afterwards. */
  <T> T onNewTopic(Turn<T> turn) throws Exception {
    String topic = LoadTarget.TOPICS + "turn" + turns++;
    topics.create(topic, "{}");
    T result = turn.on(topic);
    topics.delete(topic);
    return result;
  }

  /**
   * Fills a topic and measures how it is emptied.
   *
   * @param about how many messages, rounded down to whole batches of each filler
   */
  void drain(String key, int about, Figures figures, Drain drain) throws Exception {
    int messages = about / WHOLE * WHOLE;
    Double unused =
        onNewTopic(
            topic -> {
              filler.fill(topic, messages);
              Duration cpu = server.cpu();
              Duration own = CpuClock.own();
              double seconds = drain.seconds(topic, messages);
              add(figures, key, messages, seconds, server.cpu().minus(cpu));
              figures.add(StreamFigures.own(key), micros(CpuClock.own().minus(own), messages));
              return seconds;
            });
  }

  /** Records a load. */
  static void add(Figures figures, String key, long messages, double seconds, Duration cpu) {
    figures.add(StreamFigures.rate(key), messages / seconds);
    figures.add(StreamFigures.cpu(key), micros(cpu, messages));
  }

  private static double micros(Duration cpu, long messages) {
    return cpu.toNanos() / 1e3 / messages;
  }
}
