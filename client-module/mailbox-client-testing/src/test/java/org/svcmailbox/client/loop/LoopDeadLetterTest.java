package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.testing.FakeMailbox;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** A message that was delivered too often is a dead letter on arrival. */
class LoopDeadLetterTest extends LoopFixture {
  @Test
  void aMessageDeliveredTooOftenIsADeadLetterOnArrival() {
    AtomicInteger handled = new AtomicInteger();
    String id =
        orders
            .send(
                Outgoing.builder("apple")
                    .attribute("colour", "red")
                    .correlationId("order-17")
                    .inReplyTo("request-17")
                    .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                    .tracestate("a=1")
                    .build())
            .id();
    for (int delivery = 1; delivery <= DLQConfig.DEFAULT_DELIVERIES; delivery++) {
      receive().nack(Duration.ZERO, "crash " + delivery);
    }

    startCounting(
        builder -> builder.deadLetters(DLQConfig.to(dead, DLQConfig.DEFAULT_DELIVERIES)), handled);

    await(() -> dead.approximateCount() == 1 && orders.approximateCount() == 0);
    Message<byte[], Object> letter = dead.receive(1, VISIBILITY, Duration.ZERO).get(0);
    assertArrayEquals("apple".getBytes(StandardCharsets.UTF_8), letter.body());
    assertEquals("order-17", letter.correlationId().orElse(""));
    assertEquals("request-17", letter.inReplyTo().orElse(""));
    assertEquals("a=1", letter.tracestate().orElse(""));
    assertEquals(
        Map.of(
            "colour",
            "red",
            DLQConfig.REASON,
            "max_attempts",
            DLQConfig.ATTEMPT,
            "6",
            DLQConfig.LAST_ERROR,
            "crash 5",
            DLQConfig.MESSAGE_ID,
            id,
            DLQConfig.MAILBOX,
            "orders"),
        letter.attributes());
    assertEquals(0, handled.get());
  }

  @Test
  void theFifthDeliveryIsStillHandled() {
    AtomicInteger handled = new AtomicInteger();
    orders.send("apple");
    for (int delivery = 1; delivery < DLQConfig.DEFAULT_DELIVERIES; delivery++) {
      receive().nack(Duration.ZERO, "crash");
    }

    startCounting(
        builder -> builder.deadLetters(DLQConfig.to(dead, DLQConfig.DEFAULT_DELIVERIES)), handled);

    await(() -> orders.approximateCount() == 0);
    assertEquals(1, handled.get());
    assertEquals(0, dead.approximateCount());
  }

  @Test
  void aMessageIsKeptUntilItsCopyIsAccepted() {
    dead.failNext(Operation.SEND, () -> new MailboxFullException("full"));
    orders.send("apple");
    receive().nack(Duration.ZERO, "crash");

    startCounting(builder -> builder.deadLetters(DLQConfig.to(dead, 1)), new AtomicInteger());
    await(() -> orders.calls(Operation.NACK) == 2);
    assertEquals(1, orders.approximateCount());
    clock.advance(Duration.ofMinutes(2));

    await(() -> dead.approximateCount() == 1 && orders.approximateCount() == 0);
  }

  @Test
  void aCopyWhoseAcknowledgementFailsIsMadeOnce() {
    orders.loseNextAnswer(Operation.NACK);
    orders.send("apple");
    assertThrows(MailboxConnectionException.class, () -> receive().nack(Duration.ZERO, "crash"));
    orders.failAlways(Operation.ACKNOWLEDGE, LoopFixture::away);
    MainLoop<String, String> loop =
        startCounting(builder -> builder.deadLetters(DLQConfig.to(dead, 1)), new AtomicInteger());
    await(() -> orders.calls(Operation.ACKNOWLEDGE) == 1);
    stopWhileTimePasses(loop);
    orders.heal();
    orders.expireReceipts();

    startCounting(builder -> builder.deadLetters(DLQConfig.to(dead, 1)), new AtomicInteger());

    await(() -> orders.approximateCount() == 0);
    assertEquals(1, dead.approximateCount());
  }

  @Test
  void aDeadLetterKeepsAsManyAttributesAsFit() {
    int most = BackendFeatures.IN_MEMORY.maxAttributes();
    Outgoing.Builder<String, Object> message = Outgoing.builder("apple");
    for (int i = 0; i < most; i++) {
      message.attribute("name %02d".formatted(i), "value");
    }
    orders.send(message.build());
    receive().nack(Duration.ZERO, "crash");

    startCounting(builder -> builder.deadLetters(DLQConfig.to(dead, 1)), new AtomicInteger());

    await(() -> orders.approximateCount() == 0);
    Map<String, String> attributes = dead.receive(1, VISIBILITY, Duration.ZERO).get(0).attributes();
    assertEquals(most, attributes.size());
    assertEquals("crash", attributes.get(DLQConfig.LAST_ERROR));
    assertTrue(attributes.containsKey("name 00"));
    assertFalse(attributes.containsKey("name 30"));
  }

  @Test
  void aDeadLetterThatIsOnlyLoggedEnds() {
    orders.send("apple", fake("unknown", MailboxResolver.of()));
    receive().nack(Duration.ZERO, "crash");
    AtomicInteger handled = new AtomicInteger();

    start(
        message -> {
          handled.incrementAndGet();
          return null;
        },
        builder -> builder.deadLetters(DLQConfig.logAndAcknowledge(1)));

    await(() -> orders.approximateCount() == 0);
    assertEquals(0, handled.get());
  }

  @Test
  void aDeadRequestWhoseAnswerFindsNoMailboxEnds() {
    FakeMailbox<MainLoopRequest<String>, MainLoopResult<Integer>> requests =
        fake("requests", MailboxResolver.of());
    requests.send(new MainLoopRequest<>("apples"), fake("unknown", MailboxResolver.of()));
    requests.receive(1, VISIBILITY, Duration.ZERO).get(0).nack(Duration.ZERO, "crash");

    loops.add(
        MainLoop.serving(requests, request -> 1)
            .deadLetters(DLQConfig.logAndAcknowledge(1))
            .clock(clock)
            .start());

    await(() -> requests.approximateCount() == 0);
    awaitCalls(requests, Operation.ACKNOWLEDGE, 1);
  }

  @Test
  void aDeadRequestWhoseAnswerIsRefusedForNowIsKept() {
    FakeMailbox<MainLoopResult<Integer>, Object> results = fake("results", MailboxResolver.of());
    FakeMailbox<MainLoopRequest<String>, MainLoopResult<Integer>> requests =
        fake("requests", MailboxResolver.of(results));
    requests.send(new MainLoopRequest<>("apples"), results);
    requests.receive(1, VISIBILITY, Duration.ZERO).get(0).nack(Duration.ZERO, "crash");
    results.failNext(Operation.SEND, () -> new MailboxFullException("full"));

    loops.add(
        MainLoop.serving(requests, request -> 1)
            .deadLetters(DLQConfig.logAndAcknowledge(1))
            .clock(clock)
            .start());

    await(() -> requests.calls(Operation.NACK) == 2);
    clock.advance(Duration.ofMinutes(2));
    await(() -> requests.approximateCount() == 0);
    assertEquals(1, results.approximateCount());
  }

  private MainLoop<String, String> startCounting(
      UnaryOperator<MainLoop.Builder<String, String>> settings, AtomicInteger handled) {
    return start(
        message -> {
          handled.incrementAndGet();
          return null;
        },
        settings);
  }
}
