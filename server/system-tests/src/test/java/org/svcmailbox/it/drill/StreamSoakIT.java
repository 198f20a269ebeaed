package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.ProcessFootprint;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A thousand streams of both doors for {@code stream.soak.seconds}, and beside them streams whose
 * clients read nothing, which the server ends. The heap, the threads and the open files stay as
 * they are; every message comes once; and every gauge is back at zero in the end.
 */
@Tag("nightly")
class StreamSoakIT {
  private static final int TOPICS = 10;
  private static final int BATCH = 10;
  private static final int SLOW_OF_EACH_DOOR = 5;
  private static final int SAMPLES = 10;
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final long HEAP_SLACK = 48;
  private static final long SLACK = 24;
  private static final List<String> BOUNDS =
      List.of(
          "streams",
          "stream_inflight",
          "global_inflight",
          "recv_bytes",
          "grpc_recv_bytes",
          "grpc_calls",
          "grpc_connections",
          "max_waiting");

  private final Duration length =
      Duration.ofSeconds(Integer.getInteger("stream.soak.seconds", 600));
  private final int streams = Integer.getInteger("stream.soak.streams", 1_000);
  private final MailboxServer server =
      MailboxServer.start(
          "stream-soak", Map.of("MAILBOX_GRPC_ENABLED", "true", "MAILBOX_STREAMS", "2048"));
  private final MailboxClient client = new MailboxClient(server.target());
  private final ManyStreams open = new ManyStreams(server, client);
  private volatile boolean ending;

  @AfterEach
  void end() throws IOException {
    ending = true;
    open.close();
    server.close();
  }

  @Test
  void manyStreamsLeaveTheServerAsItWas(TestReporter reporter) throws Exception {
    openAll();
    String slow = "soak.slow";
    StalledStreams.fill(client, slow);
    CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(this::send);
    CompletableFuture<Integer> stalled = CompletableFuture.supplyAsync(() -> stall(slow));
    List<ProcessFootprint> all = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      LockSupport.parkNanos(length.dividedBy(SAMPLES).toNanos());
      all.add(ProcessFootprint.of(server));
      assertOpen();
    }
    ending = true;
    int messages = sent.join();
    int ended = stalled.join();
    Deadline.in(SOON).await(() -> open.received() == messages, () -> "lost: " + counts(messages));
    String figures = counts(messages) + ", " + ended + " slow ones ended\n" + all;
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");
    reporter.publishEntry("stream soak", figures);
    assertEquals(List.of(), open.surprises(), figures);
    assertEquals(0, open.again(), figures);
    assertTrue(ended > 0, figures);
    assertFlat(all);
    open.close();
    assertNothingIsLeft();
  }

  private void openAll() throws IOException {
    for (int i = 0; i < TOPICS; i++) {
      client.putTopic(topic(i), Fields.of("default_visibility", "5m")).expect(201);
    }
    for (int i = 0; i < streams / 2; i++) {
      open.addLines(topic(i % TOPICS));
      open.addCall(topic(i % TOPICS), i);
    }
    Deadline.in(SOON).await(() -> value("bound_used{bound=\"streams\"}") == streams, () -> "open");
  }

  private static String topic(int number) {
    return "soak." + number;
  }

  private int send() {
    int sent = 0;
    try {
      while (!ending) {
        String topic = topic(sent / BATCH % TOPICS);
        int first = sent;
        List<Fields> messages =
            IntStream.range(first, first + BATCH)
                .mapToObj(i -> Fields.send(topic, "key-" + i, new byte[1024]))
                .toList();
        String answer = client.sendBatch(messages).expect(200).text();
        assertTrue(!answer.contains("\"error\""), answer);
        sent += BATCH;
        LockSupport.parkNanos(BETWEEN_BATCHES.toNanos());
      }
      return sent;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens streams that nobody reads, again and again; returns how many the server ended. */
  private int stall(String topic) {
    int ended = 0;
    try {
      while (!ending) {
        double before = slow();
        try (StalledStreams stalled = new StalledStreams(server, topic, SLOW_OF_EACH_DOOR)) {
          Deadline.in(SOON)
              .await(() -> slow() >= before + stalled.count(), () -> "not all are slow");
          ended += stalled.count();
        }
      }
      return ended;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private double slow() throws IOException {
    Scrape scrape = scrape();
    return scrape.value("stream_closed_total{door=\"http\",reason=\"slow\"}")
        + scrape.value("stream_closed_total{door=\"grpc\",reason=\"slow\"}");
  }

  private void assertOpen() throws IOException {
    Scrape scrape = scrape();
    for (String door : List.of("http", "grpc")) {
      long now = (long) scrape.value("stream_open{door=\"" + door + "\"}");
      assertTrue(
          now >= streams / 2 && now <= streams / 2 + SLOW_OF_EACH_DOOR,
          () -> door + ": " + now + " " + open.surprises());
    }
  }

  private Scrape scrape() throws IOException {
    return Scrape.of(client.get("/metrics").expect(200).text());
  }

  private double value(String metric) throws IOException {
    return scrape().value(metric);
  }

  private String counts(int messages) {
    return "%d streams, %d messages sent, %d received, %d again, %s"
        .formatted(streams, messages, open.received(), open.again(), open.surprises());
  }

  private static void assertFlat(List<ProcessFootprint> all) {
    List<ProcessFootprint> first = all.subList(0, SAMPLES / 2);
    List<ProcessFootprint> second = all.subList(SAMPLES / 2, SAMPLES);
    assertTrue(
        median(second, ProcessFootprint::heapMebibytes)
            <= median(first, ProcessFootprint::heapMebibytes) + HEAP_SLACK,
        () -> "heap " + all);
    assertTrue(
        median(second, ProcessFootprint::threads)
            <= median(first, ProcessFootprint::threads) + SLACK,
        () -> "threads " + all);
    assertTrue(
        median(second, ProcessFootprint::openFiles)
            <= median(first, ProcessFootprint::openFiles) + SLACK,
        () -> "files " + all);
  }

  private static long median(List<ProcessFootprint> some, ToLongFunction<ProcessFootprint> what) {
    return some.stream().mapToLong(what).sorted().skip(some.size() / 2).findFirst().orElseThrow();
  }

  private void assertNothingIsLeft() {
    for (String bound : BOUNDS) {
      Deadline.in(SOON)
          .await(() -> value("bound_used{bound=\"" + bound + "\"}") == 0, () -> bound + " is used");
    }
    Deadline.in(SOON)
        .await(
            () -> value("stream_open{door=\"http\"}") + value("stream_open{door=\"grpc\"}") == 0,
            () -> "streams are open");
  }
}
