package org.svcmailbox.core.worker.dispatch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerScene;

class PrefetcherTest {
  private static final int MEBI = 1 << 20;

  private final WorkerScene scene = new WorkerScene();
  private final ShardState shard = scene.shard();
  private final ReadyTopics ready = new ReadyTopics(scene.context, scene.inbox);
  private final Prefetcher prefetcher = new Prefetcher(scene.context, ready);
  private final List<StoredMessage> sent = new ArrayList<>();

  private void send(int count, int size) {
    for (int i = 0; i < count; i++) {
      StoredMessage message =
          SampleMessages.message(
              shard.id(),
              sent.size() + 1L,
              scene.time.instant(),
              new byte[size],
              Attributes.NONE,
              null);
      sent.add(message);
      scene.put(message);
    }
  }

  private MsgId id(int index) {
    return sent.get(index).envelope().msgId();
  }

  /** Messages in the queue, the bytes of each, and how many of them are prefetched. */
  @ParameterizedTest
  @CsvSource({
    "3, 1, 3",
    "256, 1, 256",
    "257, 1, 256",
    "1000, 1, 256",
    // Sixteen at a time, until a mebibyte is there.
    "100, 65536, 16",
    "100, 65535, 32",
    "10, 1048576, 10"
  })
  void aShardIsPrefetchedUpToANumberAndASize(int messages, int size, int prefetched) {
    send(messages, size);
    prefetcher.fill(shard, false);
    assertEquals(prefetched, shard.prefetched().size());
    assertTrue(shard.isReceiving());
    assertEquals((long) prefetched * size >= MEBI, Prefetcher.isFull(shard));
  }

  @Test
  void anEmptyQueueIsBelievedForFiftyMilliseconds() {
    prefetcher.fill(shard, true);
    send(1, 1);
    scene.time.advance(Duration.ofMillis(50).minusNanos(1));
    prefetcher.fill(shard, true);
    assertTrue(shard.prefetched().isEmpty());
    scene.time.advance(Duration.ofNanos(1));
    prefetcher.fill(shard, true);
    assertEquals(1, shard.prefetched().size());
  }

  @Test
  void onlyACertainLookProvesThatAQueueIsEmpty() {
    prefetcher.fill(shard, false);
    assertFalse(shard.isKnownEmpty(scene.time.nanos()));
    send(1, 1);
    prefetcher.fill(shard, true);
    assertFalse(shard.isKnownEmpty(scene.time.nanos()), "it was not empty");
  }

  /** It comes before later messages, wherever it is in the queue. */
  @Test
  void aMessageThatShouldBeBackIsSearchedForFirst() {
    send(300, 1);
    shard.expectReturn(id(299), scene.time.nanos(), 1);
    prefetcher.fill(shard, false);
    assertNotNull(shard.prefetched().find(id(299)));
    assertFalse(shard.isReturning(id(299)));
  }

  @Test
  void aSearchEndsWithTheWantedMessage() {
    send(100, 1);
    assertEquals(id(9), idOf(prefetcher.find(shard, id(9))));
    assertEquals(10, scene.broker.delivering(), "later ones stay in the queue");
    assertEquals(id(4), idOf(prefetcher.find(shard, id(4))), "in the buffer");
    assertEquals(10, scene.broker.delivering());
    assertTrue(shard.isReceiving());
    assertEquals(1, ready.list().size(), "the topic has messages for waiting calls");
  }

  private static MsgId idOf(@Nullable Delivery delivery) {
    return requireNonNull(delivery).message().envelope().msgId();
  }

  @ParameterizedTest
  @CsvSource({"255, true", "256, false"})
  void aSearchLooksAtSoManyMessages(int before, boolean isFound) {
    send(before + 1, 1);
    Delivery found = prefetcher.find(shard, id(before));
    if (isFound) {
      assertEquals(id(before), idOf(found));
    } else {
      assertNull(found);
    }
    assertEquals(256, scene.broker.delivering());
  }

  @Test
  void aSearchInAnEmptyQueueEnds() {
    assertNull(prefetcher.find(shard, scene.message().envelope().msgId()));
  }

  /** Ready messages may still be on their way from the broker. */
  @Test
  void aPeekLooksAgain() {
    send(3, 1);
    scene.broker.readBackAfter(1);
    assertEquals(2, prefetcher.peek(shard, 2).size());
    assertEquals(3, prefetcher.peek(shard, 5).size());
    assertEquals(3, shard.prefetched().size(), "they stay");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "16, 16", "17, 17", "40, 40", "41, 40"})
  void messagesTakenAwayAreInNoBuffer(int most, int taken) {
    send(40, 1);
    assertEquals(taken, prefetcher.takeAway(shard, most).size());
    assertEquals(scene.broker.delivering() - taken, shard.prefetched().size());
  }

  @Test
  void whatIsTakenOutIsWantedAndTheRestStaysInOrder() {
    send(50, 1);
    List<MsgId> wanted = List.of(id(0), id(20), id(49));
    long fetched = prefetcher.takeOut(shard, one -> wanted.contains(idOf(one)), () -> false);
    assertEquals(50, fetched);
    assertEquals(47, shard.prefetched().size());
    assertEquals(id(1), idOf(shard.prefetched().first(1).findFirst().orElseThrow()));
    assertEquals(1, ready.list().size());
  }

  @Test
  void takingOutEndsWhenNothingMoreIsWanted() {
    send(50, 1);
    assertEquals(0, prefetcher.takeOut(shard, one -> true, () -> true));
    boolean[] isOver = new boolean[1];
    assertEquals(
        16,
        prefetcher.takeOut(
            shard,
            one -> {
              isOver[0] = true;
              return true;
            },
            () -> isOver[0]));
  }

  /** Otherwise the broker would report nothing while it waits for the watch. */
  @Test
  void aFetchEndsTheWatchAndThisStepServesItsCalls() {
    ready.watch(shard);
    assertTrue(shard.isWatching());
    prefetcher.fill(shard, false);
    assertFalse(shard.isWatching());
    assertEquals(1, ready.list().size());
  }
}
