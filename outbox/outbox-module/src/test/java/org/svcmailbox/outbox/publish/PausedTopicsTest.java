package org.svcmailbox.outbox.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.test.log.OwnLog;

class PausedTopicsTest {
  private static final List<String> T = List.of("t");
  private static final Duration TICK = Duration.ofNanos(1);

  private final VirtualClock clock = new VirtualClock();
  private final PausedTopics topics = new PausedTopics(clock, () -> 1.0);

  private void fail(@Nullable Duration retryAfter) {
    topics.failed("t", PublishException.unavailable("away", retryAfter, null));
  }

  private void pausedFor(Duration pause) {
    assertFalse(topics.admit(T));
    clock.advance(pause.minus(TICK));
    assertFalse(topics.admit(T));
    clock.advance(TICK);
  }

  @Test
  void aPauseDoublesUpToAMinute() {
    for (int bound : List.of(2, 4, 8, 16, 32, 60, 60)) {
      fail(null);
      pausedFor(Duration.ofSeconds(bound));
      assertTrue(topics.admit(T));
    }
  }

  @Test
  void aPauseIsRandomButNeverBelowASecond() {
    PausedTopics eager = new PausedTopics(clock, () -> 0.0);
    eager.failed("t", PublishException.unavailable("away", null, null));
    clock.advance(PausedTopics.MIN.minus(TICK));
    assertFalse(eager.admit(T));
    clock.advance(TICK);
    assertTrue(eager.admit(T));
  }

  @Test
  void whatATopicAsksForCountsWithinTheBounds() {
    fail(Duration.ofSeconds(7));
    pausedFor(Duration.ofSeconds(7));
    assertTrue(topics.admit(T));
    fail(Duration.ofHours(1));
    pausedFor(PausedTopics.MAX);
    assertTrue(topics.admit(T));
    fail(Duration.ZERO);
    pausedFor(PausedTopics.MIN);
  }

  @Test
  void failuresOfOneMomentMakeOnePause() {
    fail(null);
    fail(null);
    fail(null);
    pausedFor(Duration.ofSeconds(2));
    assertTrue(topics.admit(T));
  }

  @Test
  void afterAPauseOneEventGoesFirst() {
    fail(null);
    clock.advance(Duration.ofSeconds(2));
    assertTrue(topics.admit(T));
    assertFalse(topics.admit(T));
    topics.accepted("t");
    assertTrue(topics.admit(T));
    assertTrue(topics.admit(T));
  }

  @Test
  void aRefusedEventLetsTheNextOneTry() {
    fail(null);
    clock.advance(Duration.ofSeconds(2));
    assertTrue(topics.admit(T));
    topics.answered("t");
    assertTrue(topics.admit(T));
    assertFalse(topics.admit(T));
  }

  @Test
  void anEventForTwoTopicsWaitsForBothAndHoldsUpNeither() {
    fail(null);
    topics.failed("u", PublishException.unavailable("away", Duration.ofSeconds(60), null));
    clock.advance(Duration.ofSeconds(2));
    assertFalse(topics.admit(List.of("t", "u")));
    assertTrue(topics.admit(T));
  }

  @Test
  void anOutageIsLoggedWhenItBeginsAndWhenItEnds() {
    try (OwnLog log = new OwnLog(OutboxPublisher.class.getName())) {
      topics.accepted("t");
      for (int i = 0; i < 3; i++) {
        fail(null);
        clock.advance(PausedTopics.MAX);
        topics.admit(T);
      }
      topics.accepted("t");
      topics.accepted("t");
      assertEquals(
          List.of(
              "WARNING Topic t takes no events, and is tried until it does: away",
              "INFO Topic t takes events again"),
          log.lines());
    }
  }
}
