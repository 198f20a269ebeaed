package org.svcmailbox.bench.load;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One thread that sends asynchronously with a bounded number of unanswered messages. */
public final class SendWindow {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  public interface Send {
    /** Sends a message; the stage completes with its answer. */
    CompletionStage<?> begin() throws Exception;
  }

  private final int underWay;
  private final Send send;
  private final Semaphore room;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param underWay most messages without an answer
   */
  public SendWindow(int underWay, Send send) {
    this.underWay = underWay;
    this.send = send;
    this.room = new Semaphore(underWay);
  }

  /**
   * Sends for this time and returns the answers a second. Answers after that time are awaited but
   * not counted: a last batch that nothing fills would only measure its timer.
   *
   * @throws IllegalStateException if a send failed or got no answer
   */
  public double run(Duration lasting) throws Exception {
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
