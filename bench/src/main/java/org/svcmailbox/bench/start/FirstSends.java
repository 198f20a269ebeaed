package org.svcmailbox.bench.start;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;

/** The first SENDs after a start, in a closed loop on one connection. */
final class FirstSends {
  private static final String TOPIC = LoadTarget.TOPICS + "start";
  private static final int MORE = 99;

  private FirstSends() {}

  /**
   * Records the time of the first SEND, its connection included, and the median of the next 99.
   *
   * @param keys prefix of their keys
   */
  static void measure(Server server, String name, String keys, Figures figures) throws IOException {
    long before = System.nanoTime();
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      connection.post("/v1/send", Messages.one(TOPIC, keys));
      figures.add(name + ".first_send_ms", (System.nanoTime() - before) / 1e6);
      List<Double> others = new ArrayList<>();
      for (int i = 0; i < MORE; i++) {
        long sent = System.nanoTime();
        connection.post("/v1/send", Messages.one(TOPIC, keys + "-" + i));
        others.add((System.nanoTime() - sent) / 1e6);
      }
      figures.add(name + ".next_sends_ms", Samples.median(others));
    }
  }
}
