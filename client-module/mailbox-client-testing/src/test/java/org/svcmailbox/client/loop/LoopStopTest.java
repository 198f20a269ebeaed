package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.client.spi.AbstractMailbox;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.testing.FakeMailbox.Operation;
import org.svcmailbox.test.concurrent.OwnThread;

/** A loop that stops waits for handlers, then returns what they hold. */
class LoopStopTest extends LoopFixture {
  @Test
  void stoppingWaitsForHandlers() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop = start(handler);
    handler.awaitBegin();
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> loop.stop(Duration.ofSeconds(20)), OwnThread.EXECUTOR);
    await(() -> !loop.isRunning());
    orders.send("pear");

    release.countDown();

    assertTrue(stopped.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertEquals("released", handler.ending());
    assertEquals("pear", receive().body());
    assertEquals(1, orders.approximateCount());
    assertTrue(loop.stop(Duration.ZERO));
  }

  @Test
  void stoppingInterruptsTheRestAndReturnsTheirMessages() throws Exception {
    Waiting handler = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop = start(handler);
    handler.awaitBegin();
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> loop.stop(Duration.ofSeconds(5)), OwnThread.EXECUTOR);

    awaitWhileTimePasses(Duration.ofSeconds(1), stopped::isDone);

    assertFalse(stopped.join());
    assertEquals("interrupted", handler.ending());
    Message<String, String> again = receive();
    assertEquals(2, again.deliveryCount());
    assertEquals("the worker stopped", again.lastError().orElse(""));
    assertEquals(1, orders.calls(Operation.NACK));
  }

  @Test
  void aHandlerThatReturnsAfterItsInterruptionIsDone() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    orders.send("apple");
    MainLoop<String, String> loop =
        start(
            message -> {
              began.countDown();
              awaitInterrupt();
              return "done";
            });
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));

    assertFalse(loop.stop(Duration.ZERO));

    assertEquals(0, orders.approximateCount());
    assertEquals(0, orders.calls(Operation.NACK));
  }

  @Test
  void theMessageOfAHandlerThatIgnoresItsInterruptionIsReturned() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    orders.send("apple");
    MainLoop<String, String> loop =
        start(
            message -> {
              began.countDown();
              awaitUninterruptibly(release);
              ended.countDown();
              return "done";
            });
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));

    stopWhileTimePasses(loop);

    Message<String, String> again = receive();
    assertEquals("the worker stopped", again.lastError().orElse(""));
    assertEquals(1, loop.busy());
    release.countDown();
    assertTrue(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    await(() -> loop.busy() == 0);
    assertEquals(0, orders.calls(Operation.ACKNOWLEDGE));
    again.acknowledge();
  }

  @Test
  void whatAReceiveBringsAfterTheStopIsReturned() throws Exception {
    SlowMailbox slow = new SlowMailbox(clock);
    slow.send("apple");
    AtomicInteger handled = new AtomicInteger();
    MainLoop<String, String> loop =
        MainLoop.<String, String>handling(
                slow,
                message -> {
                  handled.incrementAndGet();
                  return null;
                })
            .deadLetters(NEVER)
            .clock(clock)
            .start();
    assertTrue(slow.receiving.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    stopWhileTimePasses(loop);

    slow.answer.countDown();

    await(() -> slow.nacks.get() == 1);
    assertEquals(0, handled.get());
  }

  /** A mailbox whose receive cannot be interrupted. */
  private static final class SlowMailbox extends AbstractMailbox<String, String> {
    private final CountDownLatch receiving;
    private final CountDownLatch answer;
    private final AtomicInteger nacks;

    SlowMailbox(VirtualClock clock) {
      this(clock, new CountDownLatch(1), new CountDownLatch(1), new AtomicInteger());
    }

    private SlowMailbox(
        VirtualClock clock, CountDownLatch receiving, CountDownLatch answer, AtomicInteger nacks) {
      super(
          "slow",
          driver(
              new InMemoryDriver("slow", BackendFeatures.IN_MEMORY, 10, clock),
              receiving,
              answer,
              nacks),
          Codecs.utf8(),
          Codecs.utf8(),
          MailboxResolver.of());
      this.receiving = receiving;
      this.answer = answer;
      this.nacks = nacks;
    }

    private static MailboxDriver driver(
        InMemoryDriver queue,
        CountDownLatch receiving,
        CountDownLatch answer,
        AtomicInteger nacks) {
      return (MailboxDriver)
          Proxy.newProxyInstance(
              MailboxDriver.class.getClassLoader(),
              new Class<?>[] {MailboxDriver.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("receive")) {
                  receiving.countDown();
                  awaitUninterruptibly(answer);
                  return queue.receive(1, VISIBILITY, Duration.ZERO);
                }
                Object result = method.invoke(queue, arguments);
                if (method.getName().equals("nack")) {
                  nacks.incrementAndGet();
                }
                return result;
              });
    }
  }

  @Test
  void closingAnIdleLoopEndsItsThreads() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    MainLoop<String, String> loop =
        start(message -> null, builder -> builder.workers(3).executor(threads));
    assertTrue(loop.isRunning());

    loop.close();

    threads.shutdown();
    assertTrue(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertFalse(loop.isRunning());
    assertFalse(orders.isClosed());
  }

  @Test
  void aClosedMailboxEndsItsLoop() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    MainLoop<String, String> loop = start(message -> null, builder -> builder.executor(threads));

    orders.close();

    await(() -> !loop.isRunning());
    threads.shutdown();
    assertTrue(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }
}
