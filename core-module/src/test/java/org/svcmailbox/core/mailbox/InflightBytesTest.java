package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;

/** The limit on leased payload bytes, with messages of different sizes. */
class InflightBytesTest {
  private static final String TOPIC = "orders";
  private static final int MOST = 1 << 20;
  private static final Duration LONG = Duration.ofSeconds(30);

  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.ready_shards",
              "1",
              "mailbox.global_inflight_bytes",
              Integer.toString(MOST)));

  private void send(String key, int bytes) {
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, key, "x".repeat(bytes)));
  }

  private List<LeasedMessage> recv(int most) {
    return assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, most)).messages();
  }

  private void isFull() {
    Refusal refusal = assertInstanceOf(Refusal.class, rig.recvNow(TOPIC, 1));
    assertEquals("global_inflight_bytes", refusal.reason());
  }

  private CompletableFuture<RecvOutcome> waiting() {
    return rig.recv(TOPIC, 1, LONG, LONG).outcome().toCompletableFuture();
  }

  private void ack(LeasedMessage leased) {
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(leased.message().envelope().msgId(), leased.receipt()));
  }

  private long bytes() {
    return rig.mailbox().limits().inflightLimits().bytes().total().count();
  }

  @Test
  void exactlyTheMostIsLeased() {
    send("a", MOST / 2);
    send("b", MOST / 2);
    send("c", 1);
    assertEquals(2, recv(10).size());
    assertEquals(MOST, bytes());
    isFull();
  }

  @Test
  void oneByteMoreIsNotAndWhoAsksIsToldThatItIsFullAndNotThatThereIsNothing() {
    send("a", MOST / 2);
    send("b", MOST / 2 + 1);
    assertEquals(1, recv(10).size());
    isFull();
    assertEquals(MOST / 2, bytes(), "who was refused is not counted");
    assertEquals(1, rig.mailbox().limits().inflight());
  }

  @Test
  void whatWaitsForRoomIsServedWhenThereIsSome() {
    send("a", MOST / 2);
    List<LeasedMessage> first = recv(10);
    CompletableFuture<RecvOutcome> starved = waiting();
    send("b", MOST / 2 + 1);
    assertFalse(starved.isDone());
    ack(first.get(0));
    assertEquals(
        1, assertInstanceOf(Delivered.class, MailboxRig.answered(starved)).messages().size());
    assertEquals(MOST / 2 + 1, bytes());
  }

  @Test
  void aCallThatComesWhenThereIsTooLittleRoomWaitsForIt() {
    send("a", MOST / 2);
    send("b", MOST / 2 + 1);
    List<LeasedMessage> first = recv(10);
    CompletableFuture<RecvOutcome> starved = waiting();
    assertFalse(starved.isDone());
    ack(first.get(0));
    assertInstanceOf(Delivered.class, MailboxRig.answered(starved));
  }

  @Test
  void emptyPayloadsNeedNoRoom() {
    send("a", 0);
    assertEquals(1, recv(10).size());
    assertEquals(0, bytes());
  }
}
