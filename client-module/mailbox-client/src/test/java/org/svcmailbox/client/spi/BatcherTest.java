package org.svcmailbox.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;

/** The tests run the batcher's threads by hand, so each sees the batcher between two steps. */
@Timeout(60)
class BatcherTest {
  private static final class Element extends BatchTask<String> {
    private final long bytes;

    Element(int payloadBytes, long bytes) {
      super(payloadBytes, System.nanoTime());
      this.bytes = bytes;
    }

    @Override
    protected long bytes() {
      return bytes;
    }
  }

  private final OpenCalls calls = new OpenCalls("orders", MailboxClock.system());
  private final Queue<Runnable> threads = new ArrayDeque<>();
  private final List<List<Element>> requests = new ArrayList<>();

  private Batcher<Element> batcher(Batcher.Bounds bounds) {
    return batcher(threads::add, bounds);
  }

  /** Each request is answered at once. */
  private Batcher<Element> batcher(Executor executor, Batcher.Bounds bounds) {
    return new Batcher<>(
        calls,
        batch -> {
          requests.add(batch);
          batch.forEach(element -> element.succeed("done"));
        },
        executor,
        bounds);
  }

  /** One request at a time, of at most two elements and ten bytes. */
  private static Batcher.Bounds holding(int elements, long bytes) {
    return new Batcher.Bounds(1, elements, bytes, 2, 10, Duration.ZERO);
  }

  private static List<Element> add(Batcher<Element> batcher, int count) {
    List<Element> added = elements(count);
    added.forEach(batcher::add);
    return added;
  }

  private static List<Element> elements(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Element(1, 1)).toList();
  }

  private static @Nullable Throwable failure(BatchTask<?> task) {
    CompletableFuture<?> stage = task.stage().toCompletableFuture();
    assertTrue(stage.isDone(), "it has a result");
    return assertThrows(CompletionException.class, stage::join).getCause();
  }

  @Test
  void roomIsFreeBeforeTheResultIsThere() {
    Batcher<Element> batcher = batcher(holding(2, 100));
    List<Element> first = add(batcher, 2);
    List<Element> next = elements(2);
    for (int i = 0; i < 2; i++) {
      Element follower = next.get(i);
      first.get(i).stage().thenAccept(done -> batcher.add(follower));
    }

    threads.remove().run();

    assertEquals(List.of(first, next), requests);
    assertTrue(next.stream().allMatch(BatchTask::isDone));
  }

  @Test
  void theBufferHoldsSoManyElements() {
    Batcher<Element> batcher = batcher(holding(3, 100));
    add(batcher, 3);
    Element refused = new Element(1, 1);
    assertThrows(MailboxFullException.class, () -> batcher.add(refused));
    threads.remove().run();
    batcher.add(refused);
  }

  @Test
  void theBufferHoldsSoManyBytes() {
    Batcher<Element> batcher = batcher(holding(100, 10));
    batcher.add(new Element(1, 9));
    Element refused = new Element(1, 2);
    assertThrows(MailboxFullException.class, () -> batcher.add(refused));
    batcher.add(new Element(1, 1));
    threads.remove().run();
    batcher.add(refused);
  }

  @Test
  void aRequestHasSoManyElementsAndBytes() {
    Batcher<Element> batcher = batcher(holding(100, 100));
    IntStream.of(1, 1, 1, 9, 1, 1, 11, 0).forEach(bytes -> batcher.add(new Element(bytes, 0)));

    threads.remove().run();

    assertEquals(
        List.of(List.of(1, 1), List.of(1, 9), List.of(1, 1), List.of(11), List.of(0)),
        requests.stream().map(one -> one.stream().map(BatchTask::payloadBytes).toList()).toList());
  }

  @Test
  void noMoreRequestsAreOutThanAllowed() {
    Batcher<Element> batcher = batcher(new Batcher.Bounds(3, 100, 100, 2, 10, Duration.ZERO));
    add(batcher, 20);
    assertEquals(3, threads.size());
    threads.forEach(Runnable::run);
    assertEquals(10, requests.size());
  }

  @Test
  void whatTheCallerHasAlreadyHoldsNoRoom() {
    Batcher<Element> batcher = batcher(holding(1, 1));
    List<Element> all = elements(5);
    all.get(1).fail(new IllegalStateException("too large"));

    batcher.runAll(all);

    assertEquals(
        List.of(List.of(all.get(0), all.get(2)), List.of(all.get(3), all.get(4))), requests);
    assertInstanceOf(IllegalStateException.class, failure(all.get(1)));
  }

  @Test
  void aRequestThatThrowsFailsItsElementsOnly() {
    Batcher<Element> batcher =
        new Batcher<>(
            calls,
            batch -> {
              requests.add(batch);
              if (requests.size() == 1) {
                throw new IllegalStateException("broken");
              }
              batch.forEach(element -> element.succeed("done"));
            },
            threads::add,
            holding(3, 100));
    List<Element> elements = add(batcher, 3);

    threads.remove().run();

    assertInstanceOf(IllegalStateException.class, failure(elements.get(0)));
    assertInstanceOf(IllegalStateException.class, failure(elements.get(1)));
    assertEquals("done", elements.get(2).await());
    add(batcher, 3);
  }

  @Test
  void withoutAThreadNothingIsTaken() {
    Batcher<Element> batcher =
        batcher(
            task -> {
              throw new RejectedExecutionException();
            },
            holding(1, 1));
    for (int i = 0; i < 2; i++) {
      MailboxConnectionException failure =
          assertThrows(MailboxConnectionException.class, () -> add(batcher, 1));
      assertEquals(Outcome.NOT_DONE, failure.outcome());
    }
    assertNothingIsUnderWay();
  }

  @Test
  void abandoningFailsWhatHasNoResult() {
    List<Batcher<Element>> self = new ArrayList<>();
    Batcher<Element> batcher =
        new Batcher<>(
            calls,
            batch -> {
              batch.get(0).succeed("done");
              self.get(0).abandon();
              batch.forEach(element -> element.succeed("late"));
            },
            threads::add,
            holding(3, 100));
    self.add(batcher);
    List<Element> elements = add(batcher, 3);

    threads.remove().run();

    assertEquals("done", elements.get(0).await());
    assertEquals(
        Outcome.UNKNOWN,
        assertInstanceOf(MailboxConnectionException.class, failure(elements.get(1))).outcome());
    assertInstanceOf(MailboxClosedException.class, failure(elements.get(2)));
    assertNothingIsUnderWay();
    add(batcher, 3);
    assertThrows(
        MailboxFullException.class, () -> add(batcher, 1), "the late results free no room");
  }

  @Test
  void nothingIsAddedToAClosingMailbox() {
    Batcher<Element> batcher = batcher(holding(3, 100));
    boolean unused = calls.beginClosing();
    assertThrows(MailboxClosedException.class, () -> add(batcher, 1));
    assertNothingIsUnderWay();
  }

  /** Else this would take longer than the test may. */
  private void assertNothingIsUnderWay() {
    calls.awaitEnds(Duration.ofMinutes(5));
  }
}
