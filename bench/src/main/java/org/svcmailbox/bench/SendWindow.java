package org.svcmailbox.bench;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One thread that sends without waiting for answers, as long as few enough are under way. */
final class SendWindow {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Sends a message. */
  interface Send {
    /** Begins, and returns what ends with the answer. */
    CompletionStage<?> begin() throws Exception;
  }

  private final int underWay;
  private final Send send;
  private final Semaphore room;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param underWay messages without an answer, at most
   */
  SendWindow(int underWay, Send send) {
    this.underWay = underWay;
    this.send = send;
    this.room = new Semaphore(underWay);
  }

  /**
   * Sends for so long, and returns how many were answered a second. Later answers are waited for,
   * and do not count: a last batch that nothing fills would only measure its timer.
   *
   * @throws IllegalStateException if a send failed, or has no answer
   */
  double run(Duration lasting) throws Exception {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < lasting.toNanos() && failure.get() == null) {
      awaitRoom(1);
      send.begin().whenComplete((sent, failed) -> ended(failed));
    }
    double perSecond = answered.get() / ((System.nanoTime() - begin) / 1e9);
    awaitRoom(underWay);
    if (failure.get() != null) {
      throw new IllegalStateException("a send failed", failure.get());
    }
    return perSecond;
  }

  private void ended(@Nullable Throwable failed) {
    if (failed == null) {
      answered.incrementAndGet();
    } else {
      failure.compareAndSet(null, failed);
    }
    room.release();
  }

  private void awaitRoom(int places) throws InterruptedException {
    if (!room.tryAcquire(places, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("no answer within " + PATIENCE);
    }
  }
}
