package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.memory.InMemoryDriver;

/** A worker loop over a stream. */
@Timeout(60)
class HttpStreamLoopTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final QueueService service = new QueueService();
  private final InMemoryDriver queue = service.topic("orders");
  private final HttpMailbox<String, String> orders =
      HttpMailbox.builder(
              URI.create("http://127.0.0.1:" + service.port()),
              TokenSource.of(ScriptedService.TOKEN),
              "orders",
              Codecs.utf8(),
              Codecs.utf8())
          .streaming()
          .build();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    gate.countDown();
    orders.close();
    service.close();
  }

  private void send(int from, int to) {
    for (int i = from; i < to; i++) {
      queue.send(QueueService.message("apple " + i));
    }
  }

  private String next() throws InterruptedException {
    String next = handled.poll(20, SECONDS);
    if (next == null) {
      throw new AssertionError("nothing is handled");
    }
    return next;
  }

  private List<String> next(int count) throws InterruptedException {
    List<String> bodies = new ArrayList<>();
    while (bodies.size() < count) {
      bodies.add(next());
    }
    return bodies;
  }

  private static List<String> apples(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "apple " + i).toList();
  }

  private MainLoop.Builder<String, String> handling() {
    return MainLoop.handling(
        orders,
        (Message<String, String> message) -> {
          handled.add(message.body());
          gate.await();
          return null;
        });
  }

  @Test
  void onlyAsManyMessagesComeAsThereAreWorkers() throws Exception {
    send(0, 5);
    try (MainLoop<String, String> loop = handling().workers(3).start()) {
      assertEquals(apples(0, 3), next(3).stream().sorted().toList());
      assertEquals(2, queue.receive(5, LEASE, Duration.ZERO).size(), "for others");
      assertEquals(3, service.streams.requests().get(0).path("window").asInt());
      gate.countDown();
      send(5, 105);
      assertEquals(100, next(100).size());
      assertTrue(loop.isRunning());
    }
    assertEquals(1, service.streams.requests().size() - givenBack());
    assertEquals(0, service.receives());
  }

  private long givenBack() {
    return service.streams.requests().stream()
        .filter(request -> request.path("window").asInt() == 0)
        .count();
  }

  @Test
  void anOrderedLoopKeepsTheOrder() throws Exception {
    gate.countDown();
    send(0, 50);
    try (MainLoop<String, String> loop = handling().workers(1).ordered().start()) {
      assertEquals(apples(0, 50), next(50));
      assertTrue(loop.isRunning());
    }
  }

  @Test
  void anIdleLoopStopsAtOnce() throws Exception {
    MainLoop<String, String> loop = handling().start();
    HttpFixture.await(() -> service.streams.open() == 1);
    long begun = System.nanoTime();
    assertTrue(loop.stop(Duration.ofSeconds(20)));
    long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    assertTrue(millis < 2_000, "the stop took " + millis + " ms");
    HttpFixture.await(() -> service.streams.open() == 0);
  }

  @Test
  void aLoopThatStopsReturnsWhatItHandles() throws Exception {
    send(0, 1);
    MainLoop<String, String> loop = handling().start();
    next();
    loop.stop(Duration.ZERO);
    assertEquals(1, queue.receive(1, LEASE, Duration.ofSeconds(10)).size());
  }

  /** A cut that is healed is none, and a service that is away is one. */
  @Test
  void listenersHearOfOutagesOnly() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void received(String mailbox, int messages) {
            received.add(messages);
          }

          @Override
          public void receiveFailed(String mailbox, Throwable failure) {
            failures.incrementAndGet();
          }
        };
    gate.countDown();
    try (MainLoop<String, String> loop = handling().listener(listener).start()) {
      HttpFixture.await(() -> service.streams.open() == 1);
      service.streams.endAll("");
      send(0, 1);
      assertEquals("apple 0", next());
      assertEquals(1, received.take());
      assertEquals(0, failures.get());
      service.close();
      HttpFixture.await(() -> failures.get() > 0);
      assertTrue(loop.isRunning());
    }
  }
}
