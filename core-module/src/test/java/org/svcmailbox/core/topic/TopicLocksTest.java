package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

@Timeout(30)
class TopicLocksTest {
  private static final TopicName ONE = new TopicName("Aa");

  /** Has the same hash code. */
  private static final TopicName TWIN = new TopicName("BB");

  private final CountDownLatch isHeld = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  private CompletableFuture<Void> hold(TopicLocks locks, TopicName name) {
    CompletableFuture<Void> held =
        CompletableFuture.runAsync(() -> locks.run(name, this::holdUntilTold));
    await(isHeld);
    return held;
  }

  private void holdUntilTold() {
    isHeld.countDown();
    await(mayEnd);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTopicDoesNotWaitForAnotherOfTheSameHashCode() {
    TopicLocks locks = new TopicLocks(Duration.ofSeconds(20));
    assertEquals(ONE.hashCode(), TWIN.hashCode());
    CompletableFuture<Void> held = hold(locks, ONE);
    assertEquals("done", locks.call(TWIN, () -> "done"));
    mayEnd.countDown();
    held.join();
    assertEquals(0, locks.size());
  }

  @Test
  void aLockThatIsKeptTooLongIsARefusalAndNoChange() {
    TopicLocks locks = new TopicLocks(Duration.ofMillis(20));
    CompletableFuture<Void> held = hold(locks, ONE);
    AtomicInteger ran = new AtomicInteger();
    UnavailableException refused =
        assertThrows(UnavailableException.class, () -> locks.run(ONE, () -> ran.incrementAndGet()));
    assertEquals("the topic Aa is being changed", refused.getMessage());
    assertEquals(0, ran.get());
    assertEquals(1, locks.size());
    mayEnd.countDown();
    held.join();
    locks.run(ONE, ran::incrementAndGet);
    assertEquals(1, ran.get());
    assertEquals(0, locks.size());
  }

  @Test
  void aThreadThatIsInterruptedWaitsNoLonger() {
    TopicLocks locks = new TopicLocks(Duration.ofSeconds(20));
    CompletableFuture<Void> held = hold(locks, ONE);
    Thread.currentThread().interrupt();
    assertThrows(UnavailableException.class, () -> locks.run(ONE, () -> {}));
    assertTrue(Thread.interrupted());
    mayEnd.countDown();
    held.join();
  }

  @Test
  void aChangeOfATopicMustNotChangeItAgain() {
    TopicLocks locks = new TopicLocks(Duration.ofSeconds(20));
    assertThrows(IllegalStateException.class, () -> locks.run(ONE, () -> locks.run(ONE, () -> {})));
    assertEquals(0, locks.size());
    assertEquals("free", locks.call(ONE, () -> "free"));
  }

  @Test
  void aNameIsHeldByOneThreadAtATime() {
    TopicLocks locks = new TopicLocks(Duration.ofSeconds(20));
    int[] unguarded = new int[1];
    CompletableFuture<?>[] all =
        IntStream.range(0, 8)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 1_000; i++) {
                            locks.run(ONE, () -> unguarded[0]++);
                          }
                        }))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).join();
    assertEquals(8_000, unguarded[0]);
    assertEquals(0, locks.size());
  }
}
