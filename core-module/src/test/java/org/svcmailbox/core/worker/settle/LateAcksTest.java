package org.svcmailbox.core.worker.settle;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.ReadyTopics;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerScene;

/** An ACK that comes after its lease has ended. */
class LateAcksTest {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final long IDLE = Duration.ofSeconds(1).toNanos();

  private final WorkerScene scene = new WorkerScene();
  private final ShardState shard = scene.shard();
  private final StoredMessage message = scene.message();
  private final MsgId msgId = message.envelope().msgId();
  private final LateAcks lateAcks =
      new LateAcks(
          scene.context,
          new Prefetcher(scene.context, new ReadyTopics(scene.context, scene.inbox)),
          new Receipts(new Random(2), Groups.ofWorkers(1), scene.time.instant()));

  private static Settle call(MsgId msgId, @Nullable Receipt receipt) {
    return new Settle(
        SampleCallers.OPERATOR, new Ack(msgId, receipt), new CompletableFuture<SettleOutcome>());
  }

  private CompletableFuture<SettleOutcome> ack() {
    Settle call = call(msgId, null);
    lateAcks.settle(call, shard);
    scene.commit();
    return call.reply();
  }

  private int retryAfter(Duration passed) {
    scene.time.advance(passed);
    int answered = lateAcks.retry(scene.time.nanos());
    scene.commit();
    return answered;
  }

  private void isReturning() {
    shard.expectReturn(msgId, scene.time.nanos(), 1);
  }

  private static @Nullable SettleOutcome answer(CompletableFuture<SettleOutcome> reply) {
    return reply.getNow(null);
  }

  private static void assertReturning(CompletableFuture<SettleOutcome> reply) {
    assertEquals("returning", assertInstanceOf(Refusal.class, answer(reply)).reason());
  }

  @Test
  void itCountsWhenTheMessageIsBackInItsQueue() {
    scene.put(message);
    assertEquals(SettleOutcome.DONE, answer(ack()));
    assertEquals(Map.of(), scene.broker.everything());
    assertEquals(Fate.ACKED, requireNonNull(scene.context.settled().find(msgId)).fate());
    assertNull(shard.prefetched().find(msgId));
  }

  @Test
  void itIsStaleWhenAnotherClientHasTheMessage() {
    scene.put(message);
    scene.lease(scene.fetch(), 100);
    assertEquals(new Stale(Why.SUPERSEDED), answer(ack()));
    assertEquals(1, scene.broker.everything().size());
  }

  @Test
  void itIsStaleWhenTheTopicIsGoneAndTakesNothingFromItsSuccessor() {
    scene.put(message);
    scene.context.forget(shard.id());
    assertEquals(new Stale(Why.EXPIRED), answer(ack()));
    assertEquals(1, scene.broker.everything().size());
  }

  @Test
  void itIsStaleWhenTheMessageIsNeitherThereNorReturning() {
    assertEquals(new Stale(Why.EXPIRED), answer(ack()));
    assertEquals(IDLE, lateAcks.untilFirst(scene.time.nanos(), IDLE), "nothing waits");
  }

  @Test
  void itWaitsForAMessageThatIsReturning() {
    isReturning();
    CompletableFuture<SettleOutcome> reply = ack();
    assertNull(answer(reply));
    assertEquals(LOOK_AGAIN.toNanos(), lateAcks.untilFirst(scene.time.nanos(), IDLE));
    assertEquals(0, retryAfter(LOOK_AGAIN));
    assertEquals(LOOK_AGAIN.toNanos(), lateAcks.untilFirst(scene.time.nanos(), IDLE), "and again");

    scene.put(message);
    assertEquals(0, retryAfter(LOOK_AGAIN.minusNanos(1)), "each look may cost a round trip");
    assertNull(answer(reply));
    assertEquals(1, retryAfter(Duration.ofNanos(1)));
    assertEquals(SettleOutcome.DONE, answer(reply));
    assertEquals(Map.of(), scene.broker.everything());
  }

  @Test
  void whatBecomesOfTheMessageMeanwhileIsItsAnswer() {
    isReturning();
    CompletableFuture<SettleOutcome> reply = ack();
    scene.put(message);
    scene.lease(scene.fetch(), 100);
    assertEquals(1, retryAfter(LOOK_AGAIN));
    assertEquals(new Stale(Why.SUPERSEDED), answer(reply));
  }

  @Test
  void itDoesNotWaitForAMessageOfADeletedTopic() {
    isReturning();
    CompletableFuture<SettleOutcome> reply = ack();
    scene.context.forget(shard.id());
    assertEquals(1, retryAfter(LOOK_AGAIN));
    assertEquals(new Stale(Why.EXPIRED), answer(reply));
  }

  /** A look so long after the ACK, and another after 5 ms: the first from 1 s on refuses it. */
  @ParameterizedTest
  @CsvSource({"994999999, false", "995000000, true", "995000001, true"})
  void itIsRefusedWhenTheMessageDoesNotReturnWithinASecond(long firstLook, boolean isRefused) {
    isReturning();
    CompletableFuture<SettleOutcome> reply = ack();
    assertEquals(0, retryAfter(Duration.ofNanos(firstLook)));
    assertNull(answer(reply));
    assertEquals(0, retryAfter(LOOK_AGAIN));
    if (isRefused) {
      assertReturning(reply);
    } else {
      assertNull(answer(reply));
    }
  }

  @Test
  void noMoreThanAThousandWait() {
    isReturning();
    for (int i = 0; i < 1_000; i++) {
      assertNull(answer(ack()));
    }
    assertEquals(0, scene.count(Family.QUEUE_DROPPED_TOTAL, "late_acks"));
    assertReturning(ack());
    assertEquals(1, scene.count(Family.QUEUE_DROPPED_TOTAL, "late_acks"));
  }

  @Test
  void allThatWaitAreRefusedWhenTheSessionIsLost() {
    isReturning();
    CompletableFuture<SettleOutcome> first = ack();
    CompletableFuture<SettleOutcome> second = ack();
    lateAcks.onSessionLost();
    scene.context.replies().onSessionLost();
    assertReturning(first);
    assertReturning(second);
    assertEquals(IDLE, lateAcks.untilFirst(scene.time.nanos(), IDLE));
  }

  /** Until a minute after the session's start, an earlier session's message may get a new life. */
  @ParameterizedTest
  @CsvSource({"true, 59999, true", "true, 60000, false", "false, 0, false"})
  void itIsToBeRepeatedWhileTheMessageMayBeSorted(
      boolean areUnsorted, long millis, boolean isRefused) {
    scene.broker.unsorted(() -> areUnsorted);
    scene.time.advance(Duration.ofMillis(millis));
    CompletableFuture<SettleOutcome> reply = ack();
    Optional<SettleOutcome> ofEarlierLife =
        lateAcks.settleFromEarlierLife(call(msgId, new Receipt("earlier-1")));
    if (isRefused) {
      assertReturning(reply);
      assertInstanceOf(Refusal.class, ofEarlierLife.orElseThrow());
    } else {
      assertEquals(new Stale(Why.EXPIRED), answer(reply));
      assertEquals(Optional.empty(), ofEarlierLife, "unknown");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 99, 100})
  void theBrokersCountOfUnsortedMessagesIsReusedForATenthOfASecond(long millis) {
    int[] asked = new int[1];
    scene.broker.unsorted(() -> asked[0]++ == 0);
    assertReturning(ack());
    scene.time.advance(Duration.ofMillis(millis));
    boolean isReused = millis < 100;
    assertEquals(isReused, answer(ack()) instanceof Refusal);
    assertEquals(isReused ? 1 : 2, asked[0]);
  }

  @Test
  void aReceiptOfAnEarlierLifeFindsItsMessageOnceItIsBack() {
    Receipt earlier = new Receipt("earlier-1");
    assertEquals(Optional.empty(), lateAcks.settleFromEarlierLife(call(msgId, earlier)));
    scene.put(message);
    assertEquals(
        Optional.of(SettleOutcome.DONE), lateAcks.settleFromEarlierLife(call(msgId, earlier)));
    scene.commit();
    assertFalse(scene.broker.everything().containsKey(msgId));
  }
}
