package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

class FakeMailboxTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final FakeMailbox<String, String> mailbox = new FakeMailbox<>("orders");

  @Test
  void aChosenOperationFailsOnceAndDoesNothing() {
    mailbox.failNext(Operation.SEND, () -> new MailboxFullException("full"));

    assertThrows(MailboxFullException.class, () -> mailbox.send("apple"));

    assertEquals(0, mailbox.approximateCount());
    mailbox.send("apple");
    assertEquals(2, mailbox.calls(Operation.SEND));
  }

  @Test
  void everyOperationCanFailUntilItHeals() {
    mailbox.send("apple");
    Message<String, String> message = receive();
    for (Operation operation : Operation.values()) {
      mailbox.failAlways(operation, () -> new MailboxConnectionException("away", Outcome.NOT_DONE));
    }
    for (int i = 0; i < 2; i++) {
      assertThrows(MailboxConnectionException.class, () -> mailbox.send("pear"));
      assertThrows(MailboxConnectionException.class, this::receive);
      assertThrows(MailboxConnectionException.class, message::acknowledge);
      assertThrows(MailboxConnectionException.class, () -> message.nack(Duration.ZERO));
      assertThrows(MailboxConnectionException.class, () -> message.extendVisibility(LEASE));
      assertThrows(MailboxConnectionException.class, mailbox::purge);
      assertThrows(MailboxConnectionException.class, mailbox::approximateCount);
    }

    mailbox.heal();

    assertFalse(message.isFinalized());
    assertEquals(1, mailbox.heldCount());
    message.nack(Duration.ZERO);
    receive().acknowledge();
    assertEquals(OptionalLong.of(0), mailbox.purge());
  }

  @Test
  void aFailureHitsOneElementOfABatch() {
    mailbox.failNext(Operation.SEND, () -> new MailboxFullException("full"));

    List<SendResult> results = mailbox.sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear")));

    assertThrows(MailboxFullException.class, results.get(0)::orThrow);
    assertEquals("pear", receive().body());
  }

  @Test
  void aLostAnswerHidesWhatWasDone() {
    mailbox.loseNextAnswer(Operation.SEND);
    mailbox.loseNextAnswer(Operation.ACKNOWLEDGE);

    MailboxConnectionException lost =
        assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
    assertEquals(Outcome.UNKNOWN, lost.outcome());
    Message<String, String> message = receive();
    assertThrows(MailboxConnectionException.class, message::acknowledge);

    assertEquals(0, mailbox.approximateCount());
    assertFalse(message.isFinalized());
    message.acknowledge();
    assertTrue(message.isFinalized());
  }

  @Test
  void aNackWhoseAnswerWasLostCanBeRepeated() {
    mailbox.loseNextAnswer(Operation.NACK);
    mailbox.send("apple");
    Message<String, String> message = receive();
    assertThrows(MailboxConnectionException.class, () -> message.nack(Duration.ZERO));

    message.nack(Duration.ZERO);

    assertTrue(message.isFinalized());
    assertEquals(2, receive().deliveryCount());
  }

  /** An acknowledgement that was lost on its way there did not happen. */
  @Test
  void anAcknowledgementThatIsRepeatedTooLateFails() {
    mailbox.failNext(
        Operation.ACKNOWLEDGE, () -> new MailboxConnectionException("lost", Outcome.UNKNOWN));
    mailbox.send("apple");
    Message<String, String> message = receive();
    assertThrows(MailboxConnectionException.class, message::acknowledge);
    mailbox.expireReceipts();

    assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);

    assertFalse(message.isFinalized());
    assertEquals(2, receive().deliveryCount());
  }

  @Test
  void whatWasNotDoneIsNoReasonToBelieveInIt() {
    mailbox.failNext(
        Operation.ACKNOWLEDGE, () -> new MailboxConnectionException("away", Outcome.NOT_DONE));
    mailbox.send("apple");
    Message<String, String> message = receive();
    assertThrows(MailboxConnectionException.class, message::acknowledge);
    mailbox.purge();
    assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);
    assertFalse(message.isFinalized());
  }

  @Test
  void receiptsExpireOnDemand() {
    mailbox.send("apple");
    Message<String, String> message = receive();

    mailbox.expireReceipts();

    assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);
    assertEquals(2, receive().deliveryCount());
  }

  @Test
  void whatWasAcknowledgedIsDeliveredAgainOnce() {
    String id = mailbox.send("apple");
    receive().acknowledge();

    mailbox.redeliver();

    Message<String, String> again = receive();
    assertEquals(id, again.id());
    assertEquals("apple", again.body());
    assertEquals(2, again.deliveryCount());
    again.nack(Duration.ZERO);
    mailbox.redeliver();
    assertEquals(1, mailbox.approximateCount());
  }

  private Message<String, String> receive() {
    return mailbox.receive(1, LEASE, Duration.ZERO).get(0);
  }
}
