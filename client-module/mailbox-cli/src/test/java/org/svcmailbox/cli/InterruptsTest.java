package org.svcmailbox.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A signal waits for the end of a section, and for nothing else. */
class InterruptsTest {
  private final Interrupts interrupts = new Interrupts();

  @Test
  void aSectionIsInterruptedAndAwaited() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean tidied = new AtomicBoolean();
    Thread worker =
        new Thread(
            () -> {
              try {
                interrupts.tidily(
                    () -> {
                      begun.countDown();
                      try {
                        return new CountDownLatch(1).await(60, SECONDS);
                      } catch (InterruptedException e) {
                        return tidied.compareAndSet(false, true);
                      }
                    });
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    worker.start();
    begun.await();
    interrupts.interrupt(worker);
    assertTrue(tidied.get(), "the signal waited");
    worker.join();
  }

  @Test
  void outsideOfASectionNothingIsInterrupted() throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch signalled = new CountDownLatch(1);
    Thread worker =
        new Thread(
            () -> {
              try {
                signalled.await();
                interrupted.complete(Thread.interrupted());
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    worker.start();
    interrupts.interrupt(worker);
    signalled.countDown();
    assertFalse(interrupted.get(10, SECONDS));
  }
}
