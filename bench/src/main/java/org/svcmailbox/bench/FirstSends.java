package org.svcmailbox.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The first SENDs after a start, one after the other on one connection. */
final class FirstSends {
  private static final String TOPIC = LoadTarget.TOPICS + "start";
  private static final int MORE = 99;

  private FirstSends() {}

  /**
   * Adds how long the first took with its connection, and the median of the others.
   *
   * @param keys what their keys begin with
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
