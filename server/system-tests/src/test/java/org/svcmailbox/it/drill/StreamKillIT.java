package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Senders and streams of both doors, also those of the client library, while the server ends {@code
 * stream.kill.rounds} times: by SIGKILL, and every third time by SIGTERM. Clients break their
 * streams and resume them. Nothing may be lost, doubled or invented, and no attempt spent that no
 * cut explains. {@code kill.seed} repeats the clients' choices.
 */
@Tag("nightly")
class StreamKillIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int MOST_REORDERED = 64;

  private final int rounds = Integer.getInteger("stream.kill.rounds", 10);
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final MailboxServer server =
      MailboxServer.start("stream-kill", Map.of("MAILBOX_GRPC_ENABLED", "true"));
  private final MailboxClient control = new MailboxClient(server.target());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final RecordedClient client =
      new RecordedClient(new MailboxClient(server.target()), recorder);
  private final Producer producer = new Producer("h", client, new Random(random.nextLong()));
  private final GrpcProducer grpcProducer =
      new GrpcProducer("g", server, recorder, new Random(random.nextLong()));
  private final List<LibraryLoad> libraries =
      List.of(
          LibraryLoad.streaming(server, recorder, new Random(random.nextLong())),
          LibraryLoad.grpc(server, recorder, new Random(random.nextLong())));
  private final List<StreamReceiver> receivers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    libraries.forEach(LibraryLoad::close);
    server.close();
    for (Thread thread : threads) {
      thread.join(SOON.toMillis());
    }
  }

  @Test
  void streamsLoseNothingAndSpendNoMoreThanCutsExplain(TestReporter reporter) throws Exception {
    start();
    for (int round = 0; round < rounds; round++) {
      work();
      if (round % 3 == 2) {
        // Leases outlive it, so it is no crash in the history.
        assertEquals(0, server.terminate(), label());
      } else {
        recorder.crash(server::kill9);
      }
      server.restart();
    }
    List<TopicEnd> ends = drain();
    for (LibraryLoad library : libraries) {
      ends.add(library.drain());
      assertEquals(List.of(), library.findings(), label());
    }
    History history = recorder.history();
    String figures = figures(history);
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");
    reporter.publishEntry("stream kill", figures);

    assertEquals(List.of(), client.surprises(), label());
    assertEquals(List.of(), client.altered(), label());
    receivers.forEach(one -> assertEquals(List.of(), one.altered(), label()));
    assertTrue(receivers.stream().allMatch(one -> one.received() > 0), figures);
    assertTrue(receivers.stream().mapToLong(StreamReceiver::resumed).sum() > 0, figures);
    // A client that is slow to connect again misses the rounds.
    LongSummaryStatistics sent =
        libraries.stream().mapToLong(LibraryLoad::accepted).summaryStatistics();
    assertTrue(sent.getMin() > sent.getMax() / 4, figures);
    assertEquals(
        List.of(),
        new HistoryChecker(LoadTopic.WINDOW, MOST_REORDERED).check(history, ends),
        figures);
  }

  private void start() throws IOException {
    for (LoadTopic topic : LoadTopic.ALL) {
      control.putTopic(topic.name(), topic.settings()).expect(201);
      receive(
          "ndjson-" + topic.name(),
          topic,
          (name, visibility, window, resume) ->
              NdjsonDoorStream.open(server.target(), client, name, visibility, window, resume));
      receive(
          "grpc-" + topic.name(),
          topic,
          (name, visibility, window, resume) ->
              GrpcDoorStream.open(server, recorder, name, visibility, window, resume));
    }
    for (LibraryLoad library : libraries) {
      library.start(control);
    }
    run("sends", producer);
    run("send-stream", grpcProducer);
  }

  private void receive(String name, LoadTopic topic, DoorStream.Door door) {
    StreamReceiver receiver =
        new StreamReceiver(door, topic, recorder, new Random(random.nextLong()));
    receivers.add(receiver);
    run(name, receiver);
  }

  private void run(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    threads.add(thread);
    thread.start();
  }

  private void work() {
    LockSupport.parkNanos(Duration.ofMillis(3_000 + random.nextInt(2_000)).toNanos());
    long enough = grpcProducer.accepted() + 100;
    Deadline.in(SOON).await(() -> grpcProducer.accepted() >= enough, () -> "progress; " + label());
  }

  private List<TopicEnd> drain() throws Exception {
    producer.end();
    grpcProducer.end();
    receivers.forEach(StreamReceiver::drain);
    for (LoadTopic topic : LoadTopic.ALL) {
      Deadline.in(SOON)
          .await(
              () -> !isSending() && DrillLoad.left(control, topic.name()) == 0,
              () -> "an empty topic " + topic + "; " + label());
    }
    receivers.forEach(StreamReceiver::end);
    for (Thread thread : threads) {
      thread.join(SOON.toMillis());
    }
    List<TopicEnd> ends = new ArrayList<>();
    for (LoadTopic topic : LoadTopic.ALL) {
      JsonNode counts = control.topic(topic.name()).expect(200).json();
      ends.add(TopicEnd.drained(topic.name(), topic.maxAttempts(), counts.path("dlq").asLong(-1)));
    }
    return ends;
  }

  private boolean isSending() {
    return threads.stream().anyMatch(one -> one.getName().startsWith("send") && one.isAlive());
  }

  private String figures(History history) {
    return "%s: %d rounds, %d messages, %d calls; received and resumed %s; %s"
        .formatted(
            label(),
            rounds,
            AnsweredSends.everyId(history).size(),
            history.events().size(),
            receivers.stream().map(one -> one.received() + "/" + one.resumed()).toList(),
            libraries);
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
