package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.message.StoredMessage;

class PrefetchExpiryStepTest {
  private final DispatchScene scene = new DispatchScene();
  private final PrefetchExpiry expiry =
      new PrefetchExpiry(scene.worker.context, scene.prefetcher, scene.inspection);

  /** Puts messages into the queue that expire in a millisecond. */
  private void put(int count) {
    for (int i = 0; i < count; i++) {
      StoredMessage sent = scene.worker.message();
      scene.worker.put(
          new StoredMessage(
              sent.envelope(),
              sent.payload(),
              null,
              scene.worker.time.instant().plus(Duration.ofMillis(1))));
    }
  }

  private void prefetch(int count) {
    put(count);
    for (int i = 0; i < count; i++) {
      scene.shard.arrived(scene.worker.fetch());
    }
  }

  private int runAfter(Duration passed) {
    scene.worker.time.advance(passed);
    return expiry.run(scene.worker.time.nanos());
  }

  @Test
  void itLooksEachSecond() {
    scene.shard.receivingAt(scene.worker.time.nanos());
    prefetch(1);
    assertEquals(0, runAfter(Duration.ofMillis(999)));
    assertEquals(1, runAfter(Duration.ofMillis(1)));
    prefetch(2);
    assertEquals(0, runAfter(Duration.ofMillis(999)));
    assertEquals(2, runAfter(Duration.ofMillis(1)));
  }

  @Test
  void messagesInTheBufferAndBesideItEnd() {
    prefetch(1);
    put(2);
    scene.worker.broker.handOver(2);
    scene.shard.receivingAt(scene.worker.time.nanos());
    scene.worker.put(scene.worker.message());
    assertEquals(3, runAfter(Duration.ofSeconds(1)));
    scene.worker.commit();
    assertTrue(scene.shard.prefetched().isEmpty());
    assertEquals(3, scene.worker.broker.quarantined(scene.worker.topic.name()).size());
    assertEquals(1, scene.worker.broker.messages(scene.shard.id()), "one is not due");
  }

  @Test
  void aShardThatNoCallReceivesFromIsTheBrokers() {
    prefetch(1);
    assertEquals(0, runAfter(Duration.ofSeconds(1)));
    assertEquals(1, scene.shard.prefetched().size());
  }

  /** A fetch would end the watch. */
  @Test
  void aShardThatIsWatchedHasNothingInTransit() {
    scene.shard.receivingAt(scene.worker.time.nanos());
    scene.shard.watching(true);
    put(1);
    scene.worker.broker.handOver(1);
    assertEquals(0, runAfter(Duration.ofSeconds(1)));
  }

  @Test
  void aStepEndsAThousandAtMostAndTheNextGoesOn() {
    scene.shard.receivingAt(scene.worker.time.nanos());
    prefetch(PrefetchExpiry.MOST + 1);
    assertEquals(PrefetchExpiry.MOST, runAfter(Duration.ofSeconds(1)));
    assertEquals(1, runAfter(Duration.ZERO));
    assertEquals(0, runAfter(Duration.ZERO));
  }
}
