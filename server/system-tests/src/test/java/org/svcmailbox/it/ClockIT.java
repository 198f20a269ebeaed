package org.svcmailbox.it;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.rendezvous.DoorDeadlines;
import org.svcmailbox.it.server.FakeTime;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Somebody moves the wall clock by two minutes while the server runs: no deadline moves with it,
 * and the rendezvous door loses nothing.
 */
@Tag("nightly")
class ClockIT {
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
  private static final int LEASE = 5_000;
  private static final int DELAY = 5_500;
  private static final int WINDOW = 9_000;

  /** A second, and what a loaded machine adds: far less than the clock moves. */
  private static final int LATE = 5_000;

  private static final int EARLY = 100;

  @Test
  void movesOfTheWallClockMoveNoDeadline() throws Exception {
    FakeTime clock = new FakeTime();
    try (MailboxServer server =
        MailboxServer.start("clock", DoorDeadlines.settings(clock.environment()))) {
      MailboxClient client = new MailboxClient(server.target());
      new Round(server, client, clock, "forward").run(TWO_MINUTES);
      new Round(server, client, clock, "back").run(Duration.ZERO);
      new Round(server, client, clock, "behind").run(TWO_MINUTES.negated());
    }
  }

  /** Deadlines of every kind, begun before a move of the clock and over after it. */
  private static final class Round {
    private final MailboxServer server;
    private final MailboxClient client;
    private final FakeTime clock;
    private final String topic;
    private final Map<String, Long> begun = new HashMap<>();
    private long windowBegun;

    Round(MailboxServer server, MailboxClient client, FakeTime clock, String topic) {
      this.server = server;
      this.client = client;
      this.clock = clock;
      this.topic = topic;
    }

    void run(Duration ahead) throws Exception {
      client.putTopic(topic, Fields.of("t_replay", WINDOW + "ms")).expect(201);
      try (DoorDeadlines door = new DoorDeadlines(server, topic)) {
        begin();
        move(ahead);
        pollTakesItsTime();
        Map<String, Long> arrived = arrivals();
        assertWithin("leased", LEASE, arrived);
        assertWithin("refused", DELAY, arrived);
        assertWithin("delayed", DELAY, arrived);
        assertEquals(3, arrived.size(), arrived::toString);
        theWindowIsOverWhenItIs();
        door.requireUnmoved(LATE);
      }
    }

    private void begin() throws IOException {
      client.send(topic, "refused", new byte[10]).expect(200);
      Message refused = one(60_000);
      windowBegun = System.nanoTime();
      client.send(topic, "leased", new byte[10]).expect(200);
      begun.put("leased", System.nanoTime());
      assertEquals("leased", one(LEASE).idemKey());
      begun.put("refused", System.nanoTime());
      client.nack(refused, Fields.of("delay_ms", DELAY)).expect(200);
      begun.put("delayed", System.nanoTime());
      client.send(delayed("delayed", DELAY)).expect(200);
      client.send(delayed("far", 3_600_000)).expect(200);
    }

    private Fields delayed(String key, long millis) {
      return Fields.send(topic, key, new byte[10]).with("delay_ms", millis);
    }

    private Message one(int visibility) throws IOException {
      Fields request = Fields.of("topic", topic).with("visibility_ms", visibility);
      return client.recvAll(request.with("wait_ms", 5_000), 1).get(0);
    }

    private void move(Duration ahead) throws IOException {
      clock.set(ahead);
      Deadline.in(Duration.ofSeconds(10))
          .await(
              () -> off().minus(ahead).abs().compareTo(Duration.ofSeconds(20)) < 0,
              () -> "the server to see the move");
    }

    /** The server's own clock, by the date of its answers. */
    private Duration off() throws IOException {
      MailboxAnswer answer = client.get("/healthz");
      String date = answer.headers().firstValue("Date").orElseThrow();
      Instant there = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Duration.between(Instant.now(), there);
    }

    private void pollTakesItsTime() throws IOException {
      long begin = System.nanoTime();
      Fields empty = Fields.of("topic", topic + ".empty").with("wait_ms", 1_500);
      assertEquals(List.of(), client.recv(empty).expect(200).messages());
      assertWithin(1_500, millisSince(begin), "a long poll");
    }

    /** When each message came, since its own beginning. */
    private Map<String, Long> arrivals() throws IOException {
      Map<String, Long> arrived = new HashMap<>();
      Fields request = Fields.of("topic", topic).with("max_messages", 10).with("wait_ms", 200);
      while (arrived.size() < 3 && sinceBegin("delayed") < DELAY + 4 * LATE) {
        for (Message message : client.recv(request).expect(200).messages()) {
          arrived.put(message.idemKey(), sinceBegin(message.idemKey()));
          client.ack(message).expect(200);
        }
      }
      return arrived;
    }

    private void theWindowIsOverWhenItIs() throws IOException {
      long left = WINDOW + LATE - millisSince(windowBegun);
      Deadline.in(Duration.ofMillis(Math.max(1, left)))
          .await(() -> !isTaken("leased"), () -> "the window was longer");
      assertTrue(millisSince(windowBegun) >= WINDOW - EARLY, "the window was shorter");
    }

    private boolean isTaken(String key) throws IOException {
      return client.send(topic, key, new byte[10]).expect(200).json().path("duplicate").asBoolean();
    }

    private static void assertWithin(String key, int expected, Map<String, Long> arrived) {
      assertWithin(expected, arrived.getOrDefault(key, -1L), key + " of " + arrived);
    }

    private static void assertWithin(long expected, long actual, String what) {
      assertTrue(
          actual >= expected - EARLY && actual <= expected + LATE,
          () -> what + " took " + actual + " ms instead of " + expected);
    }

    private long sinceBegin(String key) {
      return millisSince(requireNonNull(begun.get(key), key));
    }

    private static long millisSince(long nanos) {
      return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }
  }
}
