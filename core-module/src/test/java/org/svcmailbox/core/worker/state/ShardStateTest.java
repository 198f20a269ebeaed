package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.MsgId;

class ShardStateTest {
  private static final MsgId FIRST = MsgId.create(1, Instant.EPOCH);
  private static final MsgId SECOND = MsgId.create(1, Instant.EPOCH);
  private static final long PATIENCE = 10;
  private static final int MANY = 100;

  private final LeasingScene scene = new LeasingScene(10);
  private final ShardState shard = scene.leases.get(0).shard();

  private Delivery delivery(long seq, boolean wasDelayed) {
    return LeasingScene.delivery(
        SampleMessages.message(shard.id(), seq, Instant.EPOCH), wasDelayed);
  }

  /** Now, with a message that is due at 100. */
  @ParameterizedTest
  @CsvSource({"99, false, true", "100, true, true", "109, true, true", "110, false, false"})
  void aReturningMessageIsOverdueFromItsMomentUntilPatienceEnds(
      long now, boolean isOverdue, boolean isReturning) {
    shard.expectReturn(FIRST, 100, MANY);
    assertEquals(isOverdue ? FIRST : null, shard.overdue(now, PATIENCE));
    assertEquals(isReturning, shard.isReturning(FIRST));
  }

  @Test
  void oneThatIsGivenUpDoesNotHideTheNext() {
    shard.expectReturn(FIRST, 100, MANY);
    shard.expectReturn(SECOND, 105, MANY);
    assertEquals(SECOND, shard.overdue(112, PATIENCE));
    assertFalse(shard.isReturning(FIRST));
  }

  @Test
  void oneThatArrivedIsNeitherReturningNorOverdue() {
    Delivery back = delivery(1, false);
    MsgId id = back.message().envelope().msgId();
    shard.expectReturn(id, 100, MANY);
    shard.arrived(back);
    assertFalse(shard.isReturning(id));
    assertNull(shard.overdue(105, PATIENCE));
    assertEquals(back, shard.prefetched().first());
  }

  @Test
  void oneThatReturnsAgainIsFollowedToItsLastMoment() {
    shard.expectReturn(FIRST, 100, MANY);
    shard.expectReturn(FIRST, 200, MANY);
    assertNull(shard.overdue(105, PATIENCE));
    assertTrue(shard.isReturning(FIRST));
    assertEquals(FIRST, shard.overdue(200, PATIENCE));
  }

  @Test
  void noMoreThanSoManyAreFollowed() {
    shard.expectReturn(FIRST, 100, 1);
    shard.expectReturn(SECOND, 100, 1);
    assertTrue(shard.isReturning(FIRST));
    assertFalse(shard.isReturning(SECOND));
  }

  @ParameterizedTest
  @CsvSource({"49, true", "50, false", "51, false"})
  void anEmptyQueueIsBelievedForAWhile(long now, boolean isEmpty) {
    assertFalse(shard.isKnownEmpty(now));
    shard.emptyUntil(50);
    assertEquals(isEmpty, shard.isKnownEmpty(now));
    shard.expectReturn(FIRST, 100, 0);
    assertFalse(shard.isKnownEmpty(now), "a message returns, followed or not");
  }

  @ParameterizedTest
  @CsvSource({"40, false", "41, true"})
  void aShardIsIdleThatNobodyAskedForSinceAMoment(long moment, boolean isIdle) {
    assertFalse(shard.isIdleSince(moment), "it receives nothing");
    shard.receivingAt(40);
    assertTrue(shard.isReceiving());
    assertEquals(isIdle, shard.isIdleSince(moment));
    shard.watching(true);
    assertFalse(shard.isIdleSince(moment), "a call waits");
    shard.watching(false);
    shard.leased();
    assertFalse(shard.isIdleSince(moment), "a message is leased");
    shard.unleased();
    assertEquals(isIdle, shard.isIdleSince(moment));
  }

  /** Attempt and delay do not count as a changed order; place 1 after 2 and 3 does. */
  @ParameterizedTest
  @CsvSource({"false, 2", "true, 0"})
  void onlyFirstDeliveriesWithoutADelayCountAsReordered(boolean wasDelayed, int depth) {
    shard.handedOut(delivery(2, false));
    shard.handedOut(delivery(3, false));
    shard.handedOut(delivery(1, wasDelayed));
    assertEquals(depth, shard.counters().reorderDepth());
  }

  @Test
  void itPublishesTheAgeOfItsOldestPrefetchedMessage() {
    shard.tell();
    assertEquals(0, shard.counters().prefetchedAge(700));
    shard.arrived(delivery(1, false));
    shard.tell();
    assertEquals(700, shard.counters().prefetchedAge(700), "ready since 1970");
  }

  private void use() {
    shard.arrived(delivery(1, false));
    shard.expectReturn(FIRST, 100, MANY);
    shard.receivingAt(5);
    shard.watching(true);
    shard.emptyUntil(50);
  }

  @Test
  void aReleasedShardStillExpectsItsReturningMessages() {
    use();
    shard.released();
    assertTrue(shard.prefetched().isEmpty());
    assertFalse(shard.isReceiving() || shard.isWatching() || shard.isKnownEmpty(0));
    assertTrue(shard.isReturning(FIRST));
  }

  @Test
  void aLostSessionLeavesNothingToExpect() {
    use();
    shard.broken();
    assertTrue(shard.prefetched().isEmpty());
    assertFalse(shard.isReceiving() || shard.isWatching() || shard.isKnownEmpty(0));
    assertFalse(shard.isReturning(FIRST));
    assertNull(shard.overdue(105, PATIENCE));
  }
}
