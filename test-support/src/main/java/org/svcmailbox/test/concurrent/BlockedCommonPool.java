package org.svcmailbox.test.concurrent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** The common pool of an application that blocks all its threads. Closing checks that it was so. */
public final class BlockedCommonPool implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final CountDownLatch release = new CountDownLatch(1);
  private final CompletableFuture<Void> queued;

  public BlockedCommonPool() throws InterruptedException {
    // On JDK 25, the first use by a CompletableFuture can add a thread.
    CompletableFuture.runAsync(() -> {}).join();
    int size = ForkJoinPool.getCommonPoolParallelism();
    CountDownLatch blocked = new CountDownLatch(size);
    for (int i = 0; i < size; i++) {
      ForkJoinPool.commonPool().execute(() -> block(blocked));
    }
    assertTrue(blocked.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "the common pool is in use");
    queued = CompletableFuture.runAsync(() -> {});
  }

  private void block(CountDownLatch blocked) {
    blocked.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Fails also where JDK 17 does without the pool, which is when its parallelism is below 2. */
  @Override
  public void close() {
    boolean wasFree = queued.isDone();
    release.countDown();
    assertFalse(wasFree, "a task of a CompletableFuture ran while the common pool was blocked");
  }
}
