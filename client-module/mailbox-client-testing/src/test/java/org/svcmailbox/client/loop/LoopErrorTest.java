package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** An error out of a call ends a loop only if it must, and never unseen. */
@Isolated
class LoopErrorTest extends LoopFixture {
  private static final Logger LOG = Logger.getLogger(MainLoop.class.getName());

  private final List<Throwable> told = new CopyOnWriteArrayList<>();
  private final List<String> severe = new CopyOnWriteArrayList<>();
  private final List<String> others = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          (logged.getLevel().equals(Level.SEVERE) ? severe : others).add(logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOG.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    LOG.removeHandler(handler);
  }

  private static Supplier<RuntimeException> error(Error error) {
    return () -> {
      throw error;
    };
  }

  /** As the JVM words it. */
  private static Error noThread() {
    return new OutOfMemoryError("unable to create native thread");
  }

  private MainLoop<String, String> listened(MessageHandler<String, String> work) {
    return start(
        work,
        builder ->
            builder.listener(
                new LoopListener() {
                  @Override
                  public void failed(String mailbox, Throwable cause) {
                    assertEquals("orders", mailbox);
                    told.add(cause);
                  }
                }));
  }

  @Test
  void aReceiveThatFindsNoThreadIsRepeated() throws Exception {
    Waiting work = new Waiting();
    orders.failNext(Operation.RECEIVE, error(noThread()));
    orders.send("apple");

    MainLoop<String, String> loop = listened(work);
    awaitWhileTimePasses(Duration.ofSeconds(1), () -> loop.busy() == 1);

    assertTrue(loop.isRunning());
    release.countDown();
    assertEquals("released", work.ending());
    assertEquals(List.of(), told);
  }

  @Test
  void anExtensionThatFindsNoThreadIsRepeated() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    MainLoop<String, String> loop = listened(work);
    work.awaitBegin();
    orders.failNext(Operation.EXTEND, error(noThread()));

    clock.advance(THIRD);
    await(() -> orders.calls(Operation.EXTEND) == 1);
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(3));
    await(() -> orders.calls(Operation.EXTEND) == 2);

    clock.advance(Duration.ofSeconds(19));
    assertEquals(1, orders.heldCount());
    assertTrue(loop.isRunning());
  }

  /** As of an executor that cannot start one. */
  @Test
  void anExtensionForWhichThereIsNoThreadIsRepeated() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    List<Error> errors = new CopyOnWriteArrayList<>(List.of(noThread()));
    start(
        work,
        builder ->
            builder.leaseThreads(
                task -> {
                  if (!errors.isEmpty()) {
                    throw errors.remove(0);
                  }
                  task.run();
                }));
    work.awaitBegin();

    clock.advance(THIRD);
    await(errors::isEmpty);
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(3));

    await(() -> orders.calls(Operation.EXTEND) == 1);
  }

  @Test
  void anAcknowledgementThatFindsNoThreadIsRepeated() {
    orders.failNext(Operation.ACKNOWLEDGE, error(noThread()));
    orders.send("apple");

    listened(message -> null);
    awaitWhileTimePasses(Duration.ofSeconds(1), () -> orders.approximateCount() == 0);

    awaitCalls(orders, Operation.ACKNOWLEDGE, 2);
  }

  @Test
  void anErrorOutOfAReceiveEndsTheLoopAndReturnsItsMessages() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    Error error = new NoClassDefFoundError("org/example/Missing");
    MainLoop<String, String> loop =
        start(
            work,
            builder ->
                builder
                    .workers(2)
                    .receiveWait(Duration.ZERO)
                    .listener(
                        new LoopListener() {
                          @Override
                          public void failed(String mailbox, Throwable cause) {
                            told.add(cause);
                          }
                        }));
    work.awaitBegin();
    orders.failAlways(Operation.RECEIVE, error(error));

    assertEnded(loop, error);
    assertEquals("interrupted", work.ending());
    await(() -> orders.calls(Operation.NACK) == 1);
    await(() -> loop.busy() == 0);
  }

  @Test
  void anErrorOutOfAnExtensionEndsTheLoop() throws Exception {
    Waiting work = new Waiting();
    orders.send("apple");
    Error error = new ExceptionInInitializerError("broken");
    MainLoop<String, String> loop = listened(work);
    work.awaitBegin();
    orders.failAlways(Operation.EXTEND, error(error));

    clock.advance(THIRD);

    assertEnded(loop, error);
    assertEquals("interrupted", work.ending());
    await(() -> orders.calls(Operation.NACK) == 1);
  }

  /** The worker is still there for the next message. */
  @Test
  void anErrorOutOfAnAcknowledgementCostsNoWorker() {
    orders.failNext(Operation.ACKNOWLEDGE, error(new NoClassDefFoundError("org/example/Missing")));
    orders.send("apple");
    orders.send("pear");

    MainLoop<String, String> loop = listened(message -> null);

    await(() -> orders.calls(Operation.ACKNOWLEDGE) == 2);
    await(() -> loop.busy() == 0);
    assertTrue(loop.isRunning());
    assertEquals(1, severe.size());
  }

  @Test
  void aListenerThatFailsHindersNothing() {
    Error error = new LinkageError("broken");
    orders.failAlways(Operation.RECEIVE, error(error));

    MainLoop<String, String> loop =
        start(
            message -> null,
            builder ->
                builder.listener(
                    new LoopListener() {
                      @Override
                      public void failed(String mailbox, Throwable cause) {
                        told.add(cause);
                        throw new IllegalStateException("broken too");
                      }
                    }));

    assertEnded(loop, error);
    await(() -> others.contains("mailbox orders at memory: its listener failed"));
  }

  private void assertEnded(MainLoop<String, String> loop, Error error) {
    await(() -> !loop.isRunning() && !told.isEmpty());
    assertEquals(1, told.size());
    assertSame(error, told.get(0));
    assertEquals(Optional.of(error), loop.failure());
    assertEquals(
        List.of("mailbox orders at memory: the loop ends, because it cannot go on"), severe);
  }

  @Test
  void aLoopThatIsStoppedHasNotFailed() {
    MainLoop<String, String> loop = listened(message -> null);

    stopWhileTimePasses(loop);

    assertFalse(loop.isRunning());
    assertEquals(Optional.empty(), loop.failure());
    assertEquals(List.of(), told);
  }

  @Test
  void anOutageHasALineWhenItBeginsAndOneWhenItEnds() {
    int failures = 5;
    for (int i = 0; i < failures; i++) {
      orders.failNext(Operation.RECEIVE, LoopFixture::away);
    }
    orders.send("apple");
    start(message -> null);

    awaitWhileTimePasses(Duration.ofSeconds(1), () -> orders.approximateCount() == 0);

    List<String> outage = others.stream().filter(line -> line.contains("receiving")).toList();
    assertEquals(2, outage.size(), outage::toString);
    assertEquals(
        "mailbox orders at memory: receiving failed, and is tried until it works", outage.get(0));
    assertTrue(
        outage
            .get(1)
            .startsWith("mailbox orders at memory: receiving works again after 5 failures"),
        outage::toString);
  }

  @Test
  void aFailureOfAnotherKindDuringAnOutageHasALineOfItsOwn() {
    for (int i = 0; i < 2; i++) {
      orders.failNext(Operation.RECEIVE, LoopFixture::away);
      orders.failNext(Operation.RECEIVE, () -> new AccessDeniedException("the token is over"));
    }
    orders.send("apple");
    start(message -> null);

    awaitWhileTimePasses(Duration.ofSeconds(1), () -> orders.approximateCount() == 0);

    assertEquals(3, others.stream().filter(line -> line.contains("receiving")).count());
  }
}
