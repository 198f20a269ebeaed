package org.svcmailbox.core.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.test.concurrent.Deadline;

/** Dying threads, on a clock that the test moves. */
class SupervisorTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
  private final List<Thread> made = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor = new Supervisor(this::thread, nanos::get, new Random(1));
  private final Tasks tasks = new Tasks("test");
  private volatile boolean exhausted;

  private Thread thread(Runnable work) {
    if (exhausted) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    made.add(thread);
    return thread;
  }

  private Thread lastThread(Runnable work) {
    Thread last = thread(work);
    exhausted = true;
    return last;
  }

  /** Dies of any given throwable, and ends when told to. */
  private static final class Mortal implements Supervision.Body {
    private final BlockingQueue<Error> fates = new LinkedBlockingQueue<>();
    private volatile boolean ending;

    @Override
    public void run() {
      while (!ending) {
        Error fate = next();
        if (fate != null) {
          throw fate;
        }
      }
    }

    private @Nullable Error next() {
      try {
        return fates.poll(1, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void end() {
      ending = true;
    }
  }

  private SupervisedThread start(Supervision.Body body) {
    return supervisor.start("test-thread", tasks, this::thread, body);
  }

  private long counted(Family family) {
    return tasks.metrics().stream()
        .filter(metric -> metric.family() == family)
        .mapToLong(metric -> (long) metric.now())
        .sum();
  }

  private void kill(Mortal mortal, Error fate) throws InterruptedException {
    mortal.fates.add(fate);
    made.get(made.size() - 1).join(SOON.toMillis());
  }

  @Test
  void aThreadThatDiesIsStartedAgainAfterAPauseAndCounted() throws Exception {
    Mortal mortal = new Mortal();
    SupervisedThread thread = start(mortal);
    assertEquals(Long.MAX_VALUE, supervisor.step(), "nothing to do");
    kill(mortal, new StackOverflowError());
    long pause = supervisor.step();
    assertTrue(pause > 0 && pause <= Duration.ofMillis(200).toNanos(), () -> "pause " + pause);
    assertEquals(1, made.size(), "not before the pause is over");
    assertTrue(supervisor.vital().up());
    assertEquals("test-thread died, times in a row: 1", supervisor.vital().detail());
    nanos.addAndGet(pause);
    supervisor.step();
    assertEquals(2, made.size());
    assertTrue(made.get(1).isAlive());
    assertEquals("test-thread", made.get(1).getName());
    assertEquals(2, counted(Family.TASKS_SPAWNED_TOTAL));
    assertEquals(1, counted(Family.TASKS_ABORTED_TOTAL));
    thread.end(SOON);
    assertEquals(1, counted(Family.TASKS_CANCELED_TOTAL));
  }

  @Test
  void pausesGrowToAMinuteAndOneThatKeepsDyingIsDownUntilItIsWell() throws Exception {
    Mortal mortal = new Mortal();
    SupervisedThread thread = start(mortal);
    for (int deaths = 1; deaths <= 12; deaths++) {
      kill(mortal, new LinkageError());
      long pause = supervisor.step();
      long most = Math.min(60_000, 200L << (deaths - 1));
      assertTrue(pause <= Duration.ofMillis(most).toNanos(), () -> "pause " + pause);
      assertEquals(deaths < 5, supervisor.vital().up(), "death " + deaths);
      nanos.addAndGet(pause);
      supervisor.step();
    }
    assertEquals(13, made.size());
    assertEquals("test-thread died, times in a row: 12", supervisor.vital().detail());
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    supervisor.step();
    assertFalse(supervisor.vital().up());
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    supervisor.step();
    assertEquals("", supervisor.vital().detail());
    assertTrue(supervisor.vital().up());
    thread.end(SOON);
  }

  @Test
  void aThreadThatCannotBeStartedIsTriedAgain() throws Exception {
    Mortal mortal = new Mortal();
    SupervisedThread thread = start(mortal);
    kill(mortal, new OutOfMemoryError());
    exhausted = true;
    long pause = supervisor.step();
    nanos.addAndGet(pause);
    long next = supervisor.step();
    assertEquals(1, made.size());
    exhausted = false;
    nanos.addAndGet(next);
    supervisor.step();
    assertEquals(2, made.size());
    thread.end(SOON);
  }

  @Test
  void oneThatDoesNotEndInTimeIsInterruptedAndCountedAndNeverStartedAgain() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    SupervisedThread thread =
        start(
            new Supervision.Body() {
              @Override
              public void run() {
                try {
                  stuck.await();
                } catch (InterruptedException e) {
                  interrupted.set(true);
                }
              }

              @Override
              public void end() {
                // Ignores the request to end.
              }
            });
    thread.end(Duration.ofMillis(10));
    thread.end(SOON);
    assertEquals(1, counted(Family.TASKS_ABORTED_TOTAL));
    assertEquals(0, counted(Family.TASKS_CANCELED_TOTAL));
    made.get(0).join(SOON.toMillis());
    assertTrue(interrupted.get());
    assertEquals(Long.MAX_VALUE, supervisor.step());
    assertEquals(1, made.size());
  }

  @Test
  void turnsAreDoneAgainAndAgainAndTheSleepInBetweenCanBeEnded() throws Exception {
    CountDownLatch turns = new CountDownLatch(3);
    Turns body =
        new Turns(
            () -> {
              turns.countDown();
              return Duration.ofHours(1).toNanos();
            });
    SupervisedThread thread = start(body);
    Deadline deadline = Deadline.in(SOON);
    while (!turns.await(1, TimeUnit.MILLISECONDS)) {
      assertFalse(deadline.isOver());
      body.wake();
    }
    thread.end(SOON);
    assertEquals(1, counted(Family.TASKS_CANCELED_TOTAL));
  }

  @Test
  void aSupervisorThatDiesIsFollowedByAnother() throws Exception {
    AtomicBoolean deadly = new AtomicBoolean();
    Supervisor mortal =
        new Supervisor(
            this::thread,
            () -> {
              if (deadly.getAndSet(false)) {
                // Like a thread stopped from outside.
                Thread.currentThread().interrupt();
                throw new StackOverflowError();
              }
              return System.nanoTime();
            },
            new Random(1));
    mortal.begin();
    Mortal body = new Mortal();
    SupervisedThread thread = mortal.start("test-thread", tasks, this::thread, body);
    deadly.set(true);
    Deadline.in(SOON).await(() -> aborted(mortal) == 1, () -> "its death");
    Deadline.in(SOON).await(() -> mortal.vital().up(), () -> "its successor");
    body.fates.add(new LinkageError());
    Deadline.in(SOON)
        .await(() -> counted(Family.TASKS_SPAWNED_TOTAL) == 2, () -> "what the successor does");
    thread.end(SOON);
    mortal.end();
  }

  @Test
  void withoutASupervisorTheServiceIsNotHealthy() throws Exception {
    Supervisor mortal =
        new Supervisor(
            this::lastThread,
            () -> {
              throw new StackOverflowError();
            },
            new Random(1));
    mortal.begin();
    Deadline.in(SOON).await(() -> !mortal.vital().up(), () -> "bad health");
    assertEquals("mailbox-supervisor has ended", mortal.vital().detail());
  }

  @Test
  void anInterruptEndsTheSupervisor() throws Exception {
    Supervisor told = new Supervisor(this::thread, System::nanoTime, new Random(1));
    told.begin();
    made.get(0).interrupt();
    made.get(0).join(SOON.toMillis());
    assertFalse(told.vital().up());
    assertEquals(1, made.size());
    assertEquals(0, aborted(told));
  }

  private static long aborted(Supervisor supervisor) {
    return supervisor.metrics().stream()
        .filter(metric -> metric.family() == Family.TASKS_ABORTED_TOTAL)
        .mapToLong(metric -> (long) metric.now())
        .sum();
  }
}
