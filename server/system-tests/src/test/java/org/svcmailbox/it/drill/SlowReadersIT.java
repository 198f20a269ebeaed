package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * 500 clients that read answers of 1 MB at 70 KiB/s, just above what the server cuts. Half of them
 * receive, and half peek.
 */
@Tag("nightly")
class SlowReadersIT {
  private static final int READERS = 500;

  /** One for each receiver, and some to peek at. */
  private static final int MESSAGES = 300;

  private static final int PAYLOAD = 1_000_000;
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("slow.readers.seconds", 600));
  private static final Duration QUIET = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration EACH = Duration.ofSeconds(1);

  /** The server holds so much of RECV answers whenever it is asked, as the readers go on. */
  private static final long LEAST_RECV = 40L * PAYLOAD;

  private static final long LEAST_OTHER = 24L << 20;
  private static final Duration MOST_HEALTH = Duration.ofMillis(100);

  /** By quantile; the readers' own work on the same processors shows in the second. */
  private static final Map<Double, Double> SLOWER = Map.of(0.5, 1.5, 0.99, 3.0);

  private static MailboxServer server;
  private static MailboxClient client;
  private static String topic;

  @BeforeAll
  static void start() throws IOException {
    server = MailboxServer.start("slow-readers", Map.of());
    client = new MailboxClient(server.target());
    topic = TestTopics.fresh("slow");
    client.putTopic(topic, Fields.of("ready_shards", 4)).expect(201);
    for (int i = 0; i < MESSAGES; i++) {
      client.send(topic, "large-" + i, new byte[PAYLOAD]).expect(200);
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void neitherHealthNorSendWaitsForThem(TestReporter reporter) throws Exception {
    // The first is warm-up.
    Samples unused = Samples.during(QUIET, client);
    Samples quiet = Samples.during(QUIET, client);
    Samples busy;
    try (SlowReaders readers = new SlowReaders(server.target(), topic, READERS)) {
      Deadline.in(SOON).await(() -> Held.now().isMuch(), () -> "the readers hold too little");
      busy = Samples.during(TIME, client);
      assertTrue(readers.isRunning(), "the readers ended");
    }
    String figures = "quiet: " + quiet + "\nwith readers: " + busy;
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");
    reporter.publishEntry("slow readers", figures);
    assertTrue(busy.held().stream().allMatch(Held::isMuch), figures);
    assertTrue(busy.health(0.99).compareTo(MOST_HEALTH) < 0, figures);
    for (Map.Entry<Double, Double> most : SLOWER.entrySet()) {
      double quantile = most.getKey();
      double ratio = (double) busy.send(quantile).toNanos() / quiet.send(quantile).toNanos();
      assertTrue(ratio < most.getValue(), () -> ratio + " times at " + quantile + "; " + figures);
    }
    Deadline.in(SOON).await(() -> Held.now().recv() == 0, () -> "answers are held without readers");
  }

  /** The bytes that the server holds for clients: of RECV answers and of others. */
  private record Held(long recv, long other) {
    static Held now() throws IOException {
      Scrape scrape = Scrape.of(client.with(null).get("/metrics").expect(200).text());
      return new Held(
          (long) scrape.value("bound_used{bound=\"recv_bytes\"}"),
          (long) scrape.value("bound_used{bound=\"answer_bytes\"}"));
    }

    boolean isMuch() {
      return recv >= LEAST_RECV && other >= LEAST_OTHER;
    }
  }

  /** Times of probes and SENDs by turns, and what is held, each second. */
  private record Samples(List<Duration> health, List<Duration> send, List<Held> held) {
    static Samples during(Duration time, MailboxClient client) throws IOException {
      Samples samples = new Samples(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      String topic = TestTopics.fresh("beside");
      Deadline over = Deadline.in(time);
      Deadline next = Deadline.in(EACH);
      for (int i = 0; !over.isOver(); i++) {
        long begun = System.nanoTime();
        client.with(null).get("/healthz").expect(200);
        long between = System.nanoTime();
        client.send(topic, "key-" + i, new byte[1024]).expect(200);
        samples.health().add(Duration.ofNanos(between - begun));
        samples.send().add(Duration.ofNanos(System.nanoTime() - between));
        if (next.isOver()) {
          samples.held().add(Held.now());
          next = Deadline.in(EACH);
        }
      }
      Collections.sort(samples.health());
      Collections.sort(samples.send());
      return samples;
    }

    Duration health(double quantile) {
      return of(health, quantile);
    }

    Duration send(double quantile) {
      return of(send, quantile);
    }

    private static Duration of(List<Duration> sorted, double quantile) {
      return sorted.get((int) (quantile * (sorted.size() - 1)));
    }

    @Override
    public String toString() {
      return ("%d turns; health p50 %.1f p90 %.1f p99 %.1f max %.1f ms;"
              + " SEND p50 %.1f p99 %.1f max %.1f ms;"
              + " at least %d MB of RECV and %d MB of other answers held")
          .formatted(
              send.size(),
              millis(health(0.5)),
              millis(health(0.9)),
              millis(health(0.99)),
              millis(health(1)),
              millis(send(0.5)),
              millis(send(0.99)),
              millis(send(1)),
              held.stream().mapToLong(Held::recv).min().orElse(0) / 1_000_000,
              held.stream().mapToLong(Held::other).min().orElse(0) / 1_000_000);
    }

    private static double millis(Duration duration) {
      return duration.toNanos() / 1e6;
    }
  }
}
