package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * Leases outlive a network that treats connections badly. A rival without that network takes every
 * message whose lease ends.
 */
@Timeout(60)
class HeartbeatTest {
  private static final int WORKERS = 8;
  private static final Duration VISIBILITY = Duration.ofSeconds(3);
  private static final Duration WORK = Duration.ofMillis(4_500);

  private final QueueService service = new QueueService();
  private final Relay relay = new Relay(service.port());
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Map<String, Integer> handled = new ConcurrentHashMap<>();
  private final Set<String> interrupted = ConcurrentHashMap.newKeySet();
  private final CountDownLatch began = new CountDownLatch(WORKERS);
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    relay.close();
    service.close();
  }

  @Test
  void frozenConnectionsLoseNoLease() throws Exception {
    eachIsHandledOnceDespite(Relay::freeze);
  }

  @Test
  void connectionsThatFreezeAgainAndAgainLoseNoLease() throws Exception {
    eachIsHandledOnceDespite(
        each -> {
          for (int i = 0; i < 4; i++) {
            each.freeze();
            pause(Duration.ofSeconds(1));
          }
        });
  }

  @Test
  void droppedConnectionsLoseNoLease() throws Exception {
    eachIsHandledOnceDespite(
        each -> {
          for (int i = 0; i < 20; i++) {
            each.drop();
            pause(Duration.ofMillis(200));
          }
        });
  }

  @Test
  void answersThatComeLateLoseNoLease() throws Exception {
    // Head and body, there and back: a second, which is more than a sixth of the lease.
    eachIsHandledOnceDespite(each -> each.delay(Duration.ofMillis(250)));
  }

  private void eachIsHandledOnceDespite(Consumer<Relay> trouble) throws Exception {
    HttpMailbox<String, String> orders = open(relay.uri());
    // At the same time, so that many connections stay open.
    List<CompletableFuture<String>> sent =
        IntStream.range(0, WORKERS)
            .mapToObj(
                i -> CompletableFuture.supplyAsync(() -> orders.send("m" + i), OwnThread.EXECUTOR))
            .toList();
    sent.forEach(CompletableFuture::join);
    start(orders);
    began.await();

    trouble.accept(relay);
    start(open(URI.create("http://127.0.0.1:" + service.port())));

    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> service.topic("orders").approximateCount() == 0,
            () -> "everything is acknowledged");
    handled.forEach((id, times) -> assertEquals(1, times, id));
    assertEquals(WORKERS, handled.size());
    assertEquals(Set.of(), interrupted);
  }

  private HttpMailbox<String, String> open(URI uri) {
    HttpMailbox<String, String> mailbox =
        HttpMailbox.builder(
                uri, TokenSource.of(ScriptedService.TOKEN), "orders", Codecs.utf8(), Codecs.utf8())
            .build();
    opened.add(mailbox);
    return mailbox;
  }

  private void start(HttpMailbox<String, String> orders) {
    MainLoop<String, String> loop =
        MainLoop.handling(orders, this::handle)
            .workers(WORKERS)
            .visibility(VISIBILITY)
            .receiveWait(Duration.ofMillis(500))
            .start();
    opened.add(0, () -> loop.stop(Duration.ZERO));
  }

  private String handle(Message<String, String> message) throws InterruptedException {
    handled.merge(message.id(), 1, Integer::sum);
    began.countDown();
    try {
      boolean unused = never.await(WORK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted.add(message.id());
      throw e;
    }
    return "done";
  }

  private void pause(Duration time) {
    try {
      boolean unused = never.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
