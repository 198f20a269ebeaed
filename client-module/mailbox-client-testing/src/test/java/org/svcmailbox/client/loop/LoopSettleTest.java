package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** A loop replies, then acknowledges; what failed comes back after a while. */
class LoopSettleTest extends LoopFixture {
  private static final Duration STEP = Duration.ofMillis(100);

  @Test
  void theReplyIsSentBeforeTheAcknowledgement() {
    replies.failNext(Operation.SEND, () -> new MailboxFullException("full"));
    orders.send("apple", replies);
    MainLoop<String, String> loop = start(message -> "thanks");
    await(() -> orders.calls(Operation.NACK) == 1);
    assertEquals(0, orders.calls(Operation.ACKNOWLEDGE));

    clock.advance(Duration.ofMinutes(1));

    await(() -> orders.approximateCount() == 0);
    assertEquals("thanks", replies.receive(1, VISIBILITY, Duration.ZERO).get(0).body());
    await(() -> loop.busy() == 0);
  }

  @Test
  void aFailureIsNackedWithItsErrorAndABackoff() {
    orders.send("apple");
    MainLoop<String, String> loop =
        start(
            message -> {
              throw new IOException("no basket");
            });
    await(() -> orders.calls(Operation.NACK) == 1);
    assertTrue(loop.stop(PATIENCE));

    clock.advance(Duration.ofSeconds(59));
    assertEquals(List.of(), orders.receive(1, VISIBILITY, Duration.ZERO));
    clock.advance(Duration.ofSeconds(1));

    Message<String, String> again = receive();
    assertEquals(2, again.deliveryCount());
    assertEquals("java.io.IOException: no basket", again.lastError().orElse(""));
  }

  @Test
  void anErrorOfAHandlerSparesItsWorker() {
    orders.send("apple");
    start(
        message -> {
          if (message.deliveryCount() == 1) {
            throw new StackOverflowError("deep");
          }
          return null;
        });
    await(() -> orders.calls(Operation.NACK) == 1);

    clock.advance(Duration.ofMinutes(1));

    await(() -> orders.approximateCount() == 0);
  }

  @Test
  void aReplyThatNobodyWantsIsDropped() {
    orders.send("apple");
    start(message -> "thanks");
    await(() -> orders.approximateCount() == 0);
    assertEquals(0, orders.calls(Operation.NACK));
  }

  @Test
  void aHandlerMayReplyAndSettleByItself() {
    orders.send("apple", replies);
    orders.send("pear", replies);
    MainLoop<String, String> loop =
        start(
            message -> {
              message.reply("first");
              message.acknowledge();
              if (message.body().equals("pear")) {
                throw new IOException("after the acknowledgement");
              }
              return "never sent";
            });

    await(() -> orders.approximateCount() == 0);
    assertTrue(loop.stop(PATIENCE));
    assertEquals(2, orders.calls(Operation.ACKNOWLEDGE));
    assertEquals(0, orders.calls(Operation.NACK));
    assertEquals(2, replies.approximateCount());
  }

  @Test
  void anAcknowledgementThatFailsIsRepeatedAfterASecond() {
    orders.failNext(Operation.ACKNOWLEDGE, LoopFixture::away);
    orders.send("apple");
    start(message -> null);
    await(() -> orders.calls(Operation.ACKNOWLEDGE) == 1);
    Instant failed = clock.now();

    awaitWhileTimePasses(STEP, () -> orders.approximateCount() == 0);

    awaitCalls(orders, Operation.ACKNOWLEDGE, 2);
    assertFalse(clock.now().isBefore(failed.plusSeconds(1)));
  }

  @Test
  void anAcknowledgementThatIsNeverAnsweredIsGivenUp() {
    orders.failAlways(Operation.ACKNOWLEDGE, LoopFixture::away);
    orders.send("apple");
    MainLoop<String, String> loop = start(message -> null);
    await(() -> orders.calls(Operation.ACKNOWLEDGE) == 1);

    awaitWhileTimePasses(STEP, () -> loop.busy() == 0);

    assertEquals(3, orders.calls(Operation.ACKNOWLEDGE));
    assertEquals(1, orders.heldCount());
  }

  @Test
  void theDelayAfterAFailureIsSettable() throws Exception {
    orders.send("apple");
    start(
        message -> {
          throw new IllegalStateException("no basket");
        },
        builder -> builder.retryDelay(delivery -> Duration.ofSeconds(10L * delivery)));
    for (int delivery = 1; delivery <= 3; delivery++) {
      awaitCalls(orders, Operation.NACK, delivery);
      clock.advance(Duration.ofSeconds(10L * delivery - 1));
      assertEquals(0, orders.heldCount());
      clock.advance(Duration.ofSeconds(1));
    }
    awaitCalls(orders, Operation.NACK, 4);
    assertThrows(
        IllegalArgumentException.class,
        () -> MainLoop.handling(orders, message -> null).retryDelay(Duration.ofMillis(-1)));
  }
}
