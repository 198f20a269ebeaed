package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.testing.FakeMailbox.Operation;
import org.svcmailbox.test.concurrent.OwnThread;

/** Leases are extended while a handler runs, and lost leases interrupt it. */
class LoopLeaseTest extends LoopFixture {
  private final CountDownLatch hanging = new CountDownLatch(1);

  @Test
  void aLeaseIsExtendedEveryThirdOfItsTime() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    start(handler);
    handler.awaitBegin();

    for (int i = 1; i <= 9; i++) {
      int extensions = i;
      clock.advance(THIRD);
      await(() -> orders.calls(Operation.EXTEND) == extensions);
    }

    assertEquals(1, orders.heldCount());
    release.countDown();
    await(() -> orders.approximateCount() == 0);
    awaitCalls(orders, Operation.ACKNOWLEDGE, 1);
  }

  @Test
  void aHandlerThatTakesTooLongIsInterrupted() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop =
        start(handler, builder -> builder.maxExecution(Duration.ofSeconds(15)));
    handler.awaitBegin();

    clock.advance(Duration.ofSeconds(15));

    assertEquals("interrupted", handler.ending());
    await(() -> orders.calls(Operation.NACK) == 1);
    assertTrue(loop.stop(PATIENCE));
    clock.advance(Duration.ofMinutes(1));
    assertEquals("the handler took longer than PT15S", receive().lastError().orElse(""));
  }

  @Test
  void aHandlerThatNeverEndsLosesItsMessage() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    orders.send("apple");
    MainLoop<String, String> loop =
        start(
            message -> {
              began.countDown();
              boolean released = false;
              while (!released) {
                try {
                  release.await();
                  released = true;
                } catch (InterruptedException stubborn) {
                  released = false;
                }
              }
              return null;
            },
            builder -> builder.maxExecution(Duration.ofSeconds(35)));
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    for (int i = 1; i <= 3; i++) {
      int extensions = i;
      clock.advance(THIRD);
      await(() -> orders.calls(Operation.EXTEND) == extensions);
    }

    clock.advance(VISIBILITY);

    assertEquals(2, receive().deliveryCount());
    assertEquals(3, orders.calls(Operation.EXTEND));
    assertEquals(1, loop.busy());
  }

  @Test
  void aLostLeaseInterruptsTheHandlerAndSettlesNothing() throws Exception {
    List<Boolean> flags = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch began = new CountDownLatch(1);
    orders.send("apple");
    start(
        message -> {
          flags.add(Thread.currentThread().isInterrupted());
          began.countDown();
          // Leaves the flag set, for the loop to clear.
          while (message.deliveryCount() == 1 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PATIENCE.toNanos());
          }
          return null;
        });
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    orders.expireReceipts();

    clock.advance(THIRD);

    await(() -> orders.approximateCount() == 0);
    assertEquals(List.of(false, false), flags);
    assertEquals(0, orders.calls(Operation.NACK));
    awaitCalls(orders, Operation.ACKNOWLEDGE, 1);
  }

  @Test
  void anExtensionThatFailsIsRepeated() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    start(handler);
    handler.awaitBegin();
    orders.failNext(Operation.EXTEND, LoopFixture::away);

    clock.advance(THIRD);
    await(() -> orders.calls(Operation.EXTEND) == 1);
    awaitKeeper();
    clock.advance(Duration.ofSeconds(3));
    await(() -> orders.calls(Operation.EXTEND) == 2);

    clock.advance(Duration.ofSeconds(19));
    assertEquals(1, orders.heldCount());
    release.countDown();
    assertEquals("released", handler.ending());
    await(() -> orders.approximateCount() == 0);
  }

  @Test
  void aLeaseThatCannotBeExtendedIsLostWhenItEnds() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    start(handler);
    handler.awaitBegin();
    orders.failAlways(Operation.EXTEND, LoopFixture::away);

    clock.advance(VISIBILITY);

    assertEquals("interrupted", handler.ending());
  }

  @Test
  void aLeaseThatPassesWhileItsExtensionHangsInterruptsItsHandlerAtThatMoment() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    start(handler, builder -> builder.leaseThreads(OwnThread.EXECUTOR));
    handler.awaitBegin();
    orders.failAlways(Operation.EXTEND, this::hang);

    clock.advance(VISIBILITY.minusNanos(1));
    hanging.await();
    assertFalse(handler.hasEnded());
    clock.advance(Duration.ofNanos(1));

    assertEquals("interrupted", handler.ending());
  }

  @Test
  void anExtensionThatHangsIsMadeAgainAndKeepsNoOtherWaiting() throws Exception {
    CountDownLatch began = new CountDownLatch(2);
    orders.send("apple");
    orders.send("pear");
    start(
        message -> {
          began.countDown();
          awaitUninterruptibly(release);
          return null;
        },
        builder -> builder.workers(2).leaseThreads(OwnThread.EXECUTOR));
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    orders.failNext(Operation.EXTEND, this::hang);

    clock.advance(THIRD);
    hanging.await();
    await(() -> orders.calls(Operation.EXTEND) == 1);
    clock.advance(Duration.ofSeconds(5));
    // The one that has an answer comes along with the one that has none.
    await(() -> orders.calls(Operation.EXTEND) == 3);

    clock.advance(Duration.ofSeconds(15));
    assertEquals(2, orders.heldCount());
  }

  private MailboxException hang() {
    hanging.countDown();
    awaitUninterruptibly(release);
    return away();
  }

  /** As the service refuses it, whose leases have an end. */
  @Test
  void aHandlerIsInterruptedBeforeALeaseThatCannotBeLonger() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop = start(handler);
    handler.awaitBegin();
    orders.failAlways(Operation.EXTEND, () -> new IllegalArgumentException("too long"));

    clock.advance(THIRD);
    await(() -> orders.calls(Operation.EXTEND) == 1);
    clock.advance(Duration.ofMillis(17_499));
    assertEquals(1, orders.heldCount());
    clock.advance(Duration.ofMillis(1));

    assertEquals("interrupted", handler.ending());
    await(() -> orders.calls(Operation.NACK) == 1);
    assertEquals(1, orders.calls(Operation.EXTEND));
    assertTrue(loop.stop(PATIENCE));
    clock.advance(Duration.ofMinutes(1));
    assertEquals(
        "the handler took longer than its lease can be extended", receive().lastError().orElse(""));
  }

  @Test
  void theLeasesOfOthersAreKeptWhateverABackendThrows() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    start(handler);
    handler.awaitBegin();
    orders.failNext(Operation.EXTEND, () -> new IllegalStateException("broken"));

    clock.advance(THIRD);
    await(() -> orders.calls(Operation.EXTEND) == 1);
    awaitKeeper();
    clock.advance(Duration.ofSeconds(3));

    await(() -> orders.calls(Operation.EXTEND) == 2);
  }

  /**
   * Waits until the thread that keeps leases has planned its next extension. While the only worker
   * is busy, no other thread waits for the clock.
   */
  private void awaitKeeper() throws Exception {
    clock.awaitWaiters(1);
  }
}
