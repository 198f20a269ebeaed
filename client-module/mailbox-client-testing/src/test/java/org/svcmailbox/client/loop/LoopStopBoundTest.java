package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.AbstractMailbox;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.test.concurrent.OwnThread;

/** A loop stops in time although its backend is away and its handlers go on. */
@Timeout(60)
class LoopStopBoundTest {
  private static final int WORKERS = 8;
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration EXTRA = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final StopClock clock = new StopClock();
  private final CountDownLatch began = new CountDownLatch(WORKERS);
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile Away away = Away.NOT;

  @AfterEach
  void release() {
    release.countDown();
  }

  /** The answers of the backend. */
  private enum Away {
    NOT,
    SILENT,
    REFUSING
  }

  /** The handlers, once they are interrupted. */
  private enum Handlers {
    END,
    GO_ON
  }

  @ParameterizedTest
  @CsvSource({"SILENT, END", "SILENT, GO_ON", "REFUSING, END", "REFUSING, GO_ON"})
  void aStopEndsAfterItsGraceAndFiveSeconds(Away how, Handlers handlers) throws Exception {
    MainLoop<String, String> loop = startAndBegin(handlers);
    away = how;

    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(
            () -> clock.waitInVain(() -> loop.stop(GRACE)), OwnThread.EXECUTOR);

    assertFalse(stopped.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertEquals(GRACE.plus(EXTRA), clock.waited());
  }

  private MainLoop<String, String> startAndBegin(Handlers handlers) throws InterruptedException {
    InMemoryDriver queue =
        new InMemoryDriver("orders", BackendFeatures.HTTP, WORKERS, MailboxClock.system());
    Mailbox<String, String> orders = new AwayMailbox(queue);
    for (int i = 0; i < WORKERS; i++) {
      orders.send("apple " + i);
    }
    MainLoop<String, String> loop =
        MainLoop.<String, String>handling(
                orders,
                message -> {
                  began.countDown();
                  LoopFixture.awaitInterrupt();
                  if (handlers == Handlers.GO_ON) {
                    LoopFixture.awaitUninterruptibly(release);
                  }
                  throw new IllegalStateException("interrupted");
                })
            .workers(WORKERS + 1)
            .visibility(LEASE)
            .clock(clock)
            .start();
    assertTrue(began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertTrue(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    return loop;
  }

  /** A queue whose calls hang, deaf to interrupts, or fail. A receive always hangs at last. */
  private final class AwayMailbox extends AbstractMailbox<String, String> {
    AwayMailbox(InMemoryDriver queue) {
      super(
          "orders",
          (MailboxDriver)
              Proxy.newProxyInstance(
                  MailboxDriver.class.getClassLoader(),
                  new Class<?>[] {MailboxDriver.class},
                  (proxy, method, arguments) -> {
                    if (away == Away.SILENT) {
                      LoopFixture.awaitUninterruptibly(release);
                    }
                    if (away == Away.REFUSING) {
                      throw new MailboxConnectionException("refused", Outcome.NOT_DONE);
                    }
                    if (method.getName().equals("receive")) {
                      return receiveOrHang(queue);
                    }
                    try {
                      return method.invoke(queue, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  }),
          Codecs.utf8(),
          Codecs.utf8(),
          MailboxResolver.of());
    }
  }

  private List<DriverDelivery> receiveOrHang(InMemoryDriver queue) throws InterruptedException {
    List<DriverDelivery> ready = queue.receive(WORKERS, LEASE, Duration.ZERO);
    if (ready.isEmpty()) {
      hanging.countDown();
      LoopFixture.awaitUninterruptibly(release);
    }
    return ready;
  }

  /** A clock on which one thread waits in vain: its waits move the time to their ends. */
  private static final class StopClock implements MailboxClock {
    private volatile @Nullable Thread stopping;
    private volatile long nanos;

    <A> A waitInVain(Supplier<A> call) {
      stopping = Thread.currentThread();
      return call.get();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // The caller's loop: this is one turn of it.
    public void await(Lock held, Condition condition, long deadline) throws InterruptedException {
      if (Thread.currentThread() == stopping) {
        nanos = deadline;
      } else {
        condition.await();
      }
    }

    Duration waited() {
      return Duration.ofNanos(nanos);
    }
  }
}
