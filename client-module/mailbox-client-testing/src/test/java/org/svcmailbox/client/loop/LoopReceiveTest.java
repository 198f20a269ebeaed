package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** A loop receives for idle workers only, and goes on after failures. */
class LoopReceiveTest extends LoopFixture {
  @Test
  void itReceivesOnlyForIdleWorkers() {
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    MainLoop<String, String> loop =
        start(
            message -> {
              handled.add(message.body());
              release.await();
              return null;
            },
            builder -> builder.workers(3));
    orders.send("apple 0");
    await(() -> handled.size() == 1);

    List<Outgoing<String, Object>> more = new ArrayList<>();
    for (int i = 1; i < 7; i++) {
      more.add(Outgoing.of("apple " + i));
    }
    orders.sendAll(more);

    await(() -> handled.size() == 3);
    assertEquals(3, loop.busy());
    assertEquals(3, orders.heldCount());
    release.countDown();
    await(() -> orders.approximateCount() == 0);
    assertEquals(7, handled.size());
  }

  @Test
  void aWorkerThatSettlesIsIdle() {
    orders.failNext(Operation.ACKNOWLEDGE, this::awayAfterRelease);
    orders.sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear"), Outgoing.of("plum")));

    MainLoop<String, String> loop = start(message -> null);

    await(() -> loop.busy() == 2);
    assertEquals(2, orders.heldCount());
    release.countDown();
    awaitEmptyWhileTimePasses();
  }

  /** Its order would be lost if the settlement failed. */
  @Test
  void anOrderedLoopReceivesNothingWhileItSettles() {
    List<Integer> held = Collections.synchronizedList(new ArrayList<>());
    for (int tries = 1; tries <= 2; tries++) {
      orders.failNext(
          Operation.ACKNOWLEDGE,
          () -> {
            held.add(orders.heldCount());
            return away();
          });
    }
    orders.sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear")));

    start(message -> null, MainLoop.Builder::ordered);

    awaitEmptyWhileTimePasses();
    assertEquals(List.of(1, 1), held);
  }

  private MailboxException awayAfterRelease() {
    awaitUninterruptibly(release);
    return away();
  }

  private void awaitEmptyWhileTimePasses() {
    await(
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return orders.approximateCount() == 0;
        });
  }

  @Test
  void anOrderedLoopReceivesSingly() {
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger mostHeld = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      orders.send("apple " + i);
    }

    start(
        message -> {
          mostHeld.accumulateAndGet(orders.heldCount(), Math::max);
          handled.add(message.body());
          return null;
        },
        MainLoop.Builder::ordered);

    await(() -> orders.approximateCount() == 0);
    assertEquals(List.of("apple 0", "apple 1", "apple 2", "apple 3", "apple 4"), handled);
    assertEquals(1, mostHeld.get());
  }

  @Test
  void workersOfAStrictMailboxShareItsGroups() {
    InMemoryMailbox<String, String> strict =
        InMemoryMailbox.<String, String>builder("strict")
            .like(BackendFeatures.SQS_FIFO)
            .clock(clock)
            .build();
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      strict.send(Outgoing.builder("a" + i).group("a").build());
      strict.send(Outgoing.builder("b" + i).group("b").build());
    }

    MainLoop<String, String> loop =
        MainLoop.<String, String>handling(
                strict,
                message -> {
                  handled.add(message.body());
                  release.await();
                  return null;
                })
            .workers(4)
            .ordered()
            .deadLetters(NEVER)
            .clock(clock)
            .start();
    loops.add(loop);

    await(() -> handled.size() == 2);
    assertEquals(List.of("a0", "b0"), handled.stream().sorted().toList());
    release.countDown();
    await(() -> strict.approximateCount() == 0);
    assertEquals(
        List.of("a0", "a1", "a2"), handled.stream().filter(b -> b.startsWith("a")).toList());
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"NOT_DONE", "UNKNOWN"})
  void aReceiveThatFailsIsRepeatedAfterAPause(Outcome outcome) throws Exception {
    orders.failNext(Operation.RECEIVE, () -> new MailboxConnectionException("away", outcome));
    orders.failNext(Operation.RECEIVE, () -> new MailboxConnectionException("away", outcome));
    orders.send("apple");
    start(message -> null);

    for (int failures = 1; failures <= 2; failures++) {
      int calls = failures;
      await(() -> orders.calls(Operation.RECEIVE) == calls);
      clock.awaitWaiters(2);
      assertEquals(1, orders.approximateCount());
      clock.advance(Duration.ofSeconds(failures));
    }

    await(() -> orders.approximateCount() == 0);
  }
}
