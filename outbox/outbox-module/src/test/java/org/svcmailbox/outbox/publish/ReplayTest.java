package org.svcmailbox.outbox.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.OutboxHistory.Past;
import org.svcmailbox.test.concurrent.OwnThread;

class ReplayTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final TraceContext TRACE =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b");

  private final VirtualClock clock = new VirtualClock();
  private final ScriptedTopic topic = new ScriptedTopic();
  private final Deque<List<Past>> pages = new ArrayDeque<>();
  private final Replay replay =
      new Replay(
          () -> pages.isEmpty() ? List.of() : pages.remove(),
          "shop",
          subject -> subject.eventType().equals("paid"),
          topic,
          clock);

  private static Past past(String order, String type, int second) {
    OutboxEvent event =
        new OutboxEvent(
            UUID.randomUUID(),
            "order",
            order,
            type,
            1,
            new Payload("{}"),
            START.plusSeconds(second),
            null,
            null,
            START.plusSeconds(100 + second),
            1,
            null);
    return new Past(event, TRACE);
  }

  private static List<MessageId> ids(Past... events) {
    return List.of(events).stream().map(past -> past.event().messageId()).toList();
  }

  @Test
  void theTopicGetsTheEventsOfItsSubjects() throws Exception {
    Past first = past("1", "paid", 0);
    Past second = past("1", "paid", 1);
    Past last = past("1", "paid", 9);
    Past unnamed = past("1", "no type", 3);
    pages.add(List.of(first, past("1", "placed", 0), unnamed, second));
    pages.add(List.of(last));
    assertEquals(Optional.empty(), replay.resumeAt());
    assertTrue(replay.step());
    assertEquals(ids(first, second), topic.accepted());
    assertTrue(replay.step());
    assertFalse(replay.step());
    assertEquals(ids(first, second, last), topic.accepted());
    assertEquals(3, replay.sent());
    assertEquals(Headers.of(first.event(), TRACE), topic.headers(first.event().messageId()));
    assertEquals(Optional.of(START.plusSeconds(109)), replay.resumeAt());
  }

  @Test
  void aTopicThatIsAwayGetsTheRestLaterAndInOrder() throws Exception {
    Past first = past("1", "paid", 0);
    Past failing = past("1", "paid", 1);
    Past later = past("1", "paid", 2);
    Past other = past("2", "paid", 3);
    pages.add(List.of(first, failing, later, other));
    topic.failWith(
        id ->
            id.equals(failing.event().messageId())
                ? PublishException.unavailable("away", null, null)
                : null);
    assertEquals("away", assertThrows(PublishException.class, replay::step).getMessage());
    assertEquals(ids(first, other), topic.accepted());
    assertEquals(Optional.of(START.plusSeconds(101)), replay.resumeAt());
    topic.heal();
    assertTrue(replay.step());
    assertFalse(replay.step());
    assertEquals(ids(first, other, failing, later), topic.accepted());
    assertEquals(4, replay.sent());
  }

  @Test
  void aRefusedEventIsCountedAndPassedOver() throws Exception {
    Past refused = past("1", "paid", 0);
    Past later = past("1", "paid", 1);
    pages.add(List.of(refused, later));
    topic.failWith(
        id ->
            id.equals(refused.event().messageId())
                ? PublishException.refused(ErrorCode.REFUSED, "no", null)
                : null);
    assertTrue(replay.step());
    assertEquals(ids(later), topic.accepted());
    assertEquals(1, replay.sent());
    assertEquals(1, replay.refused());
  }

  @Test
  void aTopicThatThrowsCanBeTriedAgain() throws Exception {
    Past past = past("1", "paid", 0);
    pages.add(List.of(past));
    topic.throwFor(past.event().messageId());
    assertThrows(PublishException.class, replay::step);
    topic.heal();
    assertTrue(replay.step());
    assertEquals(ids(past), topic.accepted());
  }

  @Test
  void anAnswerThatNeverComesIsGivenUp() throws Exception {
    Past past = past("1", "paid", 0);
    pages.add(List.of(past));
    topic.silence();
    CompletableFuture<PublishException> step =
        CompletableFuture.supplyAsync(
            () -> assertThrows(PublishException.class, replay::step), OwnThread.EXECUTOR);
    clock.awaitWaiters(1);
    clock.advance(Replay.PATIENCE.minusNanos(1));
    assertFalse(step.isDone());
    clock.advance(Duration.ofNanos(1));
    assertEquals("no answer in time", step.get(10, TimeUnit.SECONDS).getMessage());
    topic.heal();
    assertTrue(replay.step());
    assertEquals(ids(past), topic.accepted());
  }
}
