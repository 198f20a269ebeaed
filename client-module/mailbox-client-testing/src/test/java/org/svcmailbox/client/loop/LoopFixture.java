package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.client.testing.FakeMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;

/** Mailboxes and loops with a clock that is moved by hand. */
@Timeout(60)
abstract class LoopFixture {
  static final Duration PATIENCE = Duration.ofSeconds(10);
  static final Duration VISIBILITY = Duration.ofSeconds(30);
  static final Duration THIRD = Duration.ofSeconds(10);
  static final DLQConfig NEVER = DLQConfig.logAndAcknowledge(1_000);

  final VirtualClock clock = new VirtualClock();
  final FakeMailbox<String, Object> replies = fake("replies", MailboxResolver.of());
  final FakeMailbox<String, String> orders =
      new FakeMailbox<>("orders", Codecs.utf8(), Codecs.utf8(), MailboxResolver.of(replies), clock);
  final FakeMailbox<byte[], Object> dead =
      new FakeMailbox<>("dead", Codecs.bytes(), Codecs.reference(), MailboxResolver.of(), clock);
  final List<MainLoop<?, ?>> loops = new ArrayList<>();

  /** Handlers wait for it. */
  final CountDownLatch release = new CountDownLatch(1);

  <T, R> FakeMailbox<T, R> fake(String name, MailboxResolver resolver) {
    return new FakeMailbox<>(name, Codecs.reference(), Codecs.reference(), resolver, clock);
  }

  @AfterEach
  void stopLoops() {
    release.countDown();
    loops.forEach(this::stopWhileTimePasses);
  }

  void stopWhileTimePasses(MainLoop<?, ?> loop) {
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> loop.stop(Duration.ZERO), OwnThread.EXECUTOR);
    awaitWhileTimePasses(Duration.ofSeconds(1), stopped::isDone);
  }

  /**
   * Moves the clock until the condition holds. It does so step by step, because the thread that
   * waits for the clock starts to wait at a moment that the test cannot see.
   */
  void awaitWhileTimePasses(Duration step, Deadline.Condition condition) {
    await(
        () -> {
          boolean holds = condition.holds();
          if (!holds) {
            clock.advance(step);
          }
          return holds;
        });
  }

  MainLoop<String, String> start(
      MessageHandler<String, String> handler,
      UnaryOperator<MainLoop.Builder<String, String>> settings) {
    MainLoop<String, String> loop =
        settings
            .apply(
                MainLoop.handling(orders, handler)
                    .visibility(VISIBILITY)
                    .deadLetters(NEVER)
                    .clock(clock)
                    // So that the keeper waits for the clock only when an extension has ended.
                    .leaseThreads(Runnable::run))
            .start();
    loops.add(loop);
    return loop;
  }

  MainLoop<String, String> start(MessageHandler<String, String> handler) {
    return start(handler, builder -> builder);
  }

  static void await(Deadline.Condition condition) {
    Deadline.in(PATIENCE).await(condition, () -> "what the test waits for");
  }

  /** A call is counted once it has ended, which may be after its effect was seen. */
  static void awaitCalls(FakeMailbox<?, ?> mailbox, Operation operation, int wanted) {
    await(() -> mailbox.calls(operation) >= wanted);
    assertEquals(wanted, mailbox.calls(operation));
  }

  static void awaitInterrupt() {
    boolean interrupted = false;
    while (!interrupted) {
      LockSupport.park();
      interrupted = Thread.interrupted();
    }
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException ignored) {
        over = false;
      }
    }
  }

  Message<String, String> receive() {
    return orders.receive(1, VISIBILITY, Duration.ZERO).get(0);
  }

  static MailboxException away() {
    return new MailboxConnectionException("away", Outcome.NOT_DONE);
  }

  /** A handler that waits, and tells when it began and how it ended. */
  final class Waiting implements MessageHandler<String, String> {
    private final CountDownLatch began = new CountDownLatch(1);
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    @Override
    public String handle(Message<String, String> message) throws InterruptedException {
      began.countDown();
      try {
        release.await();
        ended.complete("released");
        return "done";
      } catch (InterruptedException e) {
        ended.complete("interrupted");
        throw e;
      }
    }

    void awaitBegin() throws InterruptedException {
      assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    boolean hasEnded() {
      return ended.isDone();
    }

    String ending() throws Exception {
      return ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
