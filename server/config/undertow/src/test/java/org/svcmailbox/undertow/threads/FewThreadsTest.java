package org.svcmailbox.undertow.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FewThreadsTest {
  private static final Duration TOO_LONG = FewThreads.PATIENCE.plusMillis(1);

  private final ManualPlatform platform = new ManualPlatform();
  private final List<Integer> done = new ArrayList<>();

  @Test
  void tasksBeyondTheFewWaitForAThreadThatIsThere() {
    FewThreads threads = new FewThreads(platform, 2, 8);
    for (int i = 0; i < 10; i++) {
      int number = i;
      threads.execute(() -> done.add(number));
    }
    assertEquals(2, platform.started.size());

    platform.runOne();
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), done);
    platform.runOne();
    assertEquals(0, threads.running());
  }

  @Test
  void aThreadThatWasStartedAndDoesNotComeIsMadeUpFor() {
    FewThreads threads = new FewThreads(platform, 1, 8);
    threads.execute(() -> done.add(1));
    threads.execute(() -> done.add(2));
    platform.pass(TOO_LONG);
    // It has not run, so it is not known to be stuck: the pool under it decides.
    assertEquals(1, platform.started.size());
    platform.runOne();
    assertEquals(List.of(1, 2), done);
  }

  @Test
  void eachStuckThreadIsReplacedUpToTheBound() {
    FewThreads threads = new FewThreads(platform, 2, 4);
    // Each task keeps its thread busy while the next thread is started from inside it.
    for (int i = 0; i < 9; i++) {
      threads.execute(this::standStillOnce);
    }
    assertEquals(2, platform.started.size());
    platform.runOne();
    assertEquals(4, mostAtOnce);
    assertEquals(0, threads.running());
  }

  private int atOnce;
  private int mostAtOnce;

  private void standStillOnce() {
    atOnce++;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    platform.pass(TOO_LONG);
    if (!platform.started.isEmpty()) {
      platform.runOne();
    }
    atOnce--;
  }

  @Test
  void nobodyLooksWhenNothingWaits() {
    FewThreads threads = new FewThreads(platform, 1, 4);
    threads.execute(() -> done.add(1));
    threads.execute(() -> done.add(2));
    assertEquals(1, platform.looks.size());
    platform.runOne();
    platform.pass(TOO_LONG);
    assertEquals(0, platform.looks.size());
  }

  @Test
  void aTaskThatThrowsDoesNotTakeItsThreadAlong() {
    FewThreads threads = new FewThreads(platform, 1, 1);
    threads.execute(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    threads.execute(() -> done.add(2));
    platform.runOne();
    assertEquals(List.of(2), done);
    assertEquals(0, threads.running());
  }

  @Test
  void withoutAThreadATaskIsRejectedAndNotRunLater() {
    FewThreads threads = new FewThreads(platform, 2, 2);
    platform.rejectFromNowOn();
    assertThrows(RejectedExecutionException.class, () -> threads.execute(() -> done.add(1)));
    assertEquals(0, threads.running());
    assertEquals(List.of(), done);
  }

  @Test
  void underLoadEveryTaskRunsOnce() throws InterruptedException {
    ExecutorService pool = Executors.newCachedThreadPool();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      FewThreads threads = new FewThreads(new RealPlatform(pool, timer), 2, 8);
      int senders = 4;
      int each = 5_000;
      AtomicIntegerArray runs = new AtomicIntegerArray(senders * each);
      CountDownLatch left = new CountDownLatch(senders * each);
      for (int sender = 0; sender < senders; sender++) {
        int first = sender * each;
        pool.execute(
            () -> {
              for (int i = first; i < first + each; i++) {
                int number = i;
                threads.execute(() -> count(number, runs, left));
              }
            });
      }
      assertTrue(left.await(60, TimeUnit.SECONDS), "tasks are lost: " + left.getCount());
      for (int i = 0; i < runs.length(); i++) {
        assertEquals(1, runs.get(i), "task " + i);
      }
    } finally {
      timer.shutdownNow();
      pool.shutdownNow();
    }
  }

  private static void count(int number, AtomicIntegerArray runs, CountDownLatch left) {
    if (ThreadLocalRandom.current().nextInt(500) == 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15)); // stuck, now and then
    }
    runs.incrementAndGet(number);
    left.countDown();
  }

  private record RealPlatform(ExecutorService pool, ScheduledExecutorService timer)
      implements FewThreads.Platform {
    @Override
    public void start(Runnable runner) {
      pool.execute(runner);
    }

    @Override
    public void later(Runnable look, Duration delay) {
      var unused = timer.schedule(look, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }
  }
}
