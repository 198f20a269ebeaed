package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.loop.MessageHandler;
import org.svcmailbox.test.concurrent.OwnThread;
import org.svcmailbox.test.net.LoopbackHttp;

/** A worker loop that stops, on a mailbox whose calls can be interrupted. */
@Timeout(60)
class HttpLoopTest {
  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final CountDownLatch never = new CountDownLatch(1);

  /** Answers that are on their way have long. */
  private final HttpMailbox<String, String> orders =
      fixture.open(builder -> builder.callTimeout(Duration.ofMinutes(5)));

  HttpLoopTest() throws Exception {}

  @AfterEach
  void close() {
    never.countDown();
    fixture.close();
  }

  private MainLoop<String, String> start(MessageHandler<String, String> handler) {
    return MainLoop.handling(orders, handler).visibility(Duration.ofHours(1)).start();
  }

  private static String message() {
    return ScriptedService.received(ScriptedService.leased("orders", "m1", "apple", Map.of()));
  }

  private void assertReturned(ScriptedService.Request request) {
    assertEquals("/v1/nack", request.path());
    assertEquals("m1", request.json().path("msg_id").asText());
    assertEquals(0, request.json().path("delay_ms").asLong(-1));
    assertEquals("the worker stopped", request.json().path("reason").asText());
  }

  @Test
  void aMessageThatIsOnItsWayWhenTheLoopStopsIsReturned() {
    CountDownLatch stopping = new CountDownLatch(1);
    service.next(
        (exchange, request) -> {
          stopping.await();
          LoopbackHttp.answer(exchange, 200, "application/json", message());
        });
    MainLoop<String, String> loop = start(message -> "handled");
    service.awaitRequest(0);
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(() -> loop.stop(Duration.ofSeconds(40)), OwnThread.EXECUTOR);
    HttpFixture.await(() -> !loop.isRunning());

    stopping.countDown();

    assertReturned(service.awaitRequest(1));
    assertTrue(stopped.join());
  }

  @Test
  void anInterruptedStopReturnsMessages() throws Exception {
    CompletableFuture<String> began = new CompletableFuture<>();
    service.next(200, message());
    MainLoop<String, String> loop =
        start(
            message -> {
              began.complete(message.body());
              never.await();
              return "handled";
            });
    assertEquals("apple", began.get(10, SECONDS));

    Thread.currentThread().interrupt();
    boolean graceful = loop.stop(Duration.ofHours(1));

    assertTrue(Thread.interrupted());
    assertFalse(graceful);
    assertReturned(service.request(1));
    assertEquals(2, service.requests().size());
  }
}
