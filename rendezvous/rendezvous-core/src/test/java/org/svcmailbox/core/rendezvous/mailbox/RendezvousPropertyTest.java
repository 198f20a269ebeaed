package org.svcmailbox.core.rendezvous.mailbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.svcmailbox.core.rendezvous.mailbox.Scene.ALLOWED;
import static org.svcmailbox.core.rendezvous.mailbox.Scene.recipient;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.rendezvous.AccessAnswer.Granted;
import org.svcmailbox.core.rendezvous.AccessAnswer.Limited;
import org.svcmailbox.core.rendezvous.GetOutcome.Empty;
import org.svcmailbox.core.rendezvous.Handover;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.door.DoorScene;

/** The five properties of a mailbox server, each in many seeded runs. */
class RendezvousPropertyTest {
  private static final int MANY = 1_000;
  private static final int TIMED = 200;
  private static final Duration NANO = Duration.ofNanos(1);

  /** Rates whose calls take a whole number of nanoseconds. */
  private static final List<Integer> RATES =
      List.of(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 120);

  private static void runs(int count, Consumer<Random> property) {
    Long given = Long.getLong("mailbox.seed");
    LongStream seeds = given != null ? LongStream.of(given) : LongStream.range(0, count);
    seeds.forEach(
        seed -> {
          try {
            property.accept(new Random(seed));
          } catch (AssertionError e) {
            throw new AssertionError("-Dmailbox.seed=" + seed, e);
          }
        });
  }

  @Test
  void messagesOfAMailboxAreDeliveredInTheOrderTheyCame() {
    runs(MANY, RendezvousPropertyTest::keepsOrder);
  }

  private static void keepsOrder(Random random) {
    Scene scene = new Scene();
    Map<Integer, Deque<String>> expected = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      int mailbox = random.nextInt(3);
      Deque<String> queue = expected.computeIfAbsent(mailbox, key -> new ArrayDeque<>());
      if (random.nextInt(5) < 3) {
        assertEquals(PostOutcome.STORED, scene.post(mailbox, "m" + i));
        queue.add("m" + i);
      } else if (queue.isEmpty()) {
        assertInstanceOf(Empty.class, scene.get(mailbox));
      } else if (random.nextBoolean()) {
        assertEquals(queue.remove(), scene.read(mailbox));
      } else {
        scene.take(mailbox).failed();
      }
    }
    expected.forEach(
        (mailbox, queue) -> queue.forEach(body -> assertEquals(body, scene.read(mailbox))));
  }

  @Test
  void whatIsDeliveredIsWhatWasPostedByteForByte() {
    runs(MANY, RendezvousPropertyTest::keepsBytes);
  }

  private static void keepsBytes(Random random) {
    Scene scene = new Scene();
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      byte[] body = new byte[random.nextInt(random.nextBoolean() ? 16 : 65_537)];
      random.nextBytes(body);
      bodies.add(body);
      assertEquals(PostOutcome.STORED, scene.mailboxes.post(ALLOWED, recipient(1), body.clone()));
    }
    for (byte[] body : bodies) {
      Handover handover = scene.take(1);
      if (random.nextInt(4) == 0) {
        handover.failed();
        handover = scene.take(1);
      }
      assertArrayEquals(body, handover.body());
      handover.written();
    }
  }

  @Test
  void aMessageOlderThanItsTimeIsNeverReturned() {
    runs(TIMED, RendezvousPropertyTest::expires);
  }

  private static void expires(Random random) {
    int ttl = 100 + random.nextInt(86_400_000 - 100);
    Duration life = Duration.ofMillis(ttl);
    Scene scene = new Scene("message_ttl", ttl + "ms", "idle_mailbox_ttl", "7d");
    Duration before = Duration.ofNanos(random.nextLong(life.toNanos()));
    scene.posts(1, 1);
    scene.advance(before);
    scene.posts(1, 1);
    scene.advance(life.minus(before).minus(NANO));
    maybeEvict(scene, random);
    scene.take(1).failed();
    assertEquals(2, scene.stats(1).messages());
    scene.advance(NANO);
    maybeEvict(scene, random);
    if (before.isZero()) {
      assertInstanceOf(Empty.class, scene.get(1));
      return;
    }
    Handover second = scene.take(1);
    assertEquals(0, second.remaining(), "the first is gone");
    second.failed();
    scene.advance(before.minus(NANO));
    maybeEvict(scene, random);
    scene.take(1).failed();
    scene.advance(NANO);
    maybeEvict(scene, random);
    assertInstanceOf(Empty.class, scene.get(1));
  }

  private static void maybeEvict(Scene scene, Random random) {
    if (random.nextBoolean()) {
      scene.mailboxes.evictExpired();
    }
  }

  @Test
  void aClientOverItsRateIsRefusedUntilTheBucketHasACallAgain() {
    runs(TIMED, RendezvousPropertyTest::limits);
  }

  private static void limits(Random random) {
    int rate = RATES.get(random.nextInt(RATES.size()));
    int window = 1 + random.nextInt(120);
    DoorScene scene =
        new DoorScene(
            "posts_per_minute", "" + rate, "window_seconds", "" + window, "auth_mode", "disabled");
    int burst = Math.max(1, rate * window / 60);
    for (int i = 0; i < burst; i++) {
      assertInstanceOf(Granted.class, scene.post("192.0.2.1"), "call " + i + " of " + burst);
    }
    Duration wait = assertInstanceOf(Limited.class, scene.post("192.0.2.1")).retryAfter();
    assertEquals(Duration.ofMinutes(1).dividedBy(rate), wait, "a call's share of a minute");
    scene.time.advance(wait.minus(NANO));
    assertEquals(
        NANO, assertInstanceOf(Limited.class, scene.post("192.0.2.1")).retryAfter(), "not yet");
    scene.time.advance(NANO);
    assertInstanceOf(Granted.class, scene.post("192.0.2.1"));
    assertInstanceOf(Limited.class, scene.post("192.0.2.1"));
  }

  @Test
  void aQueueAtItsLengthRefusesMore() {
    runs(MANY, RendezvousPropertyTest::bounds);
  }

  private static void bounds(Random random) {
    int length = 1 + random.nextInt(20);
    Scene scene = new Scene("max_queue_length", "" + length);
    int held = 0;
    for (int i = 0; i < 80; i++) {
      if (random.nextInt(5) < 3) {
        PostOutcome expected = held == length ? PostOutcome.MAILBOX_FULL : PostOutcome.STORED;
        assertEquals(expected, scene.post(1, "m" + i));
        held += expected == PostOutcome.STORED ? 1 : 0;
      } else if (held > 0) {
        scene.read(1);
        held--;
      }
    }
    assertEquals(held, scene.stats(1).messages());
  }
}
