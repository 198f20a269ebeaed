package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.test.concurrent.Deadline;

/** Waiting within bounds. */
class PatienceTest {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock();

  private void start(Runnable task) throws Exception {
    new Thread(task).start();
    clock.awaitWaiters(1);
  }

  private FutureTask<Boolean> await(Patience patience, Duration pause) throws Exception {
    FutureTask<Boolean> task = new FutureTask<>(() -> patience.await(pause));
    start(task);
    return task;
  }

  private void advance(Duration by) {
    clock.advance(by.minus(NANO));
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    return task.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aWaitEndsAfterItsPauseAndPatienceAfterItsBound() throws Exception {
    Patience patience = new Patience(clock, SECOND.plusMillis(500));
    FutureTask<Boolean> first = await(patience, SECOND);
    advance(SECOND);
    assertFalse(first.isDone());
    clock.advance(NANO);
    assertTrue(get(first));
    FutureTask<Boolean> last = await(patience, SECOND);
    clock.advance(Duration.ofMillis(500));
    assertTrue(get(last));
    assertFalse(patience.await(SECOND));
    patience.renew();
    FutureTask<Boolean> renewed = await(patience, SECOND);
    clock.advance(SECOND);
    assertTrue(get(renewed));
  }

  @Test
  void noPatienceIsOneTry() throws Exception {
    assertFalse(new Patience(clock, Duration.ZERO).await(SECOND));
  }

  private final Deque<RuntimeException> failures = new ConcurrentLinkedDeque<>();
  private final List<Duration> tries = new CopyOnWriteArrayList<>();
  private final List<Duration> progress = new CopyOnWriteArrayList<>();
  private int steps;

  private PatientReplay replay(int pages, Duration bound) {
    return new PatientReplay(
        () -> {
          tries.add(Duration.ofNanos(clock.nanoTime()));
          if (!failures.isEmpty()) {
            throw failures.remove();
          }
          return ++steps <= pages;
        },
        new Patience(clock, bound),
        () -> progress.add(Duration.ofNanos(clock.nanoTime())));
  }

  private static PublishException away(Duration retryAfter) {
    return PublishException.unavailable("away", retryAfter, null);
  }

  @Test
  void aReplayWaitsLongerEachTimeOrAsTheTopicAsks() throws Exception {
    failures.add(PublishException.unavailable("away", null, null));
    failures.add(new OutboxStoreException("away", new SQLException()));
    failures.add(away(Duration.ofSeconds(7)));
    for (int i = 0; i < 5; i++) {
      failures.add(PublishException.unavailable("away", null, null));
    }
    PatientReplay replay = replay(2, Duration.ofHours(1));
    FutureTask<Optional<RuntimeException>> run = new FutureTask<>(replay::run);
    start(run);
    for (int seconds : List.of(1, 2, 7, 8, 16, 32, 60, 60)) {
      clock.awaitWaiters(1);
      int before = tries.size();
      advance(Duration.ofSeconds(seconds));
      clock.advance(NANO);
      Deadline.in(Duration.ofSeconds(10)).await(() -> tries.size() > before, () -> "a try");
    }
    assertEquals(Optional.empty(), get(run));
    List<Duration> expected =
        LongStream.of(0, 1, 3, 10, 18, 34, 66, 126, 186, 186, 186)
            .mapToObj(Duration::ofSeconds)
            .toList();
    assertEquals(expected, tries);
    assertEquals(expected.subList(9, 11), progress);
  }

  @Test
  void aReplayGivesUpWhenNothingIsSentForTooLong() throws Exception {
    PublishException last = away(Duration.ofSeconds(1));
    failures.add(PublishException.unavailable("away", null, null));
    failures.add(last);
    FutureTask<Optional<RuntimeException>> run = new FutureTask<>(replay(1, SECOND)::run);
    start(run);
    clock.advance(SECOND);
    assertEquals(Optional.of(last), get(run));
    assertEquals(List.of(), progress);
  }

  @Test
  void aFaultOfOursEndsAReplay() {
    failures.add(new IllegalStateException("fault"));
    assertThrows(IllegalStateException.class, replay(1, SECOND)::run);
  }

  @Test
  void eventsThatAreParkedAgainMeanwhileAreLeftOut() {
    List<Duration> ages = new ArrayList<>();
    Deque<Integer> retried = new ArrayDeque<>(List.of(1_000, 1_000, 999));
    OutboxAdmin admin =
        RecordingAdmin.retrying(
            filter -> {
              ages.add(filter.olderThan());
              clock.advance(SECOND);
              return retried.remove();
            });
    OutboxAdmin.Filter filter =
        new OutboxAdmin.Filter(Optional.empty(), Optional.of("full"), Duration.ofMinutes(1));
    OutboxAdmin.Operator operator = new OutboxAdmin.Operator("ada", "there is room");
    assertEquals(2_999, OutboxRetryCommand.all(admin, filter, operator, clock::now));
    assertEquals(
        List.of(Duration.ofSeconds(60), Duration.ofSeconds(61), Duration.ofSeconds(62)), ages);
  }
}
