package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.ReceiptHandleExpiredException;

/** A held message is not delivered elsewhere, and is delivered again when its lease has ended. */
abstract class LeaseCases extends KeyCases {
  @Test
  void aHeldMessageIsHidden() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);

    assertNothing(mailbox);
    message.acknowledge();
  }

  @Test
  void anExpiredLeaseReturnsTheMessage() {
    Mailbox<String, String> mailbox = mailbox();
    String id = mailbox.send("apple");
    Message<String, String> first = receive(mailbox, shortly());
    passTime(shortly());

    Message<String, String> second = receive(mailbox);

    assertEquals(id, second.id());
    assertEquals("apple", second.body());
    assertEquals(2, second.deliveryCount());
    assertEquals(first.enqueuedAt(), second.enqueuedAt());
    assertNotEquals(first.receiptHandle(), second.receiptHandle());
    assertEquals(Optional.empty(), second.lastError());
  }

  @Test
  void aSupersededHolderChangesNothing() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> first = receive(mailbox, shortly());
    passTime(shortly());
    Message<String, String> second = receive(mailbox);

    assertThrows(ReceiptHandleExpiredException.class, first::acknowledge);
    assertThrows(ReceiptHandleExpiredException.class, () -> first.nack(Duration.ZERO, "late"));
    assertThrows(ReceiptHandleExpiredException.class, () -> first.extendVisibility(LONG));

    assertFalse(first.isFinalized());
    assertNothing(mailbox);
    second.acknowledge();
    assertNothing(mailbox);
  }

  /**
   * A backend without late acknowledgements may refuse, and then the message is delivered again.
   */
  @Test
  void aLateAcknowledgementIsFinalWhileNobodyHasTheMessage() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> late = receive(mailbox, shortly());
    passTime(shortly());

    assertLateAcknowledgement(mailbox, late);
  }

  /** A receive that looks at the message without taking it changes nothing. */
  @Test
  void aLateAcknowledgementIsFinalAfterAReceiveOfAnotherMessage() {
    Mailbox<String, String> mailbox = mailbox();
    Message<String, String> first = sentAndReceived(mailbox, "apple");
    Message<String, String> late = sentAndReceived(mailbox, "pear");
    passTime(shortly().multipliedBy(4));
    boolean isLate = receive(mailbox).id().equals(late.id());

    assertLateAcknowledgement(mailbox, isLate ? first : late);
  }

  private Message<String, String> sentAndReceived(Mailbox<String, String> mailbox, String body) {
    mailbox.send(independent(body).build());
    return receive(mailbox, shortly().multipliedBy(4));
  }

  private void assertLateAcknowledgement(
      Mailbox<String, String> mailbox, Message<String, String> late) {
    boolean refused = false;
    try {
      late.acknowledge();
    } catch (ReceiptHandleExpiredException e) {
      refused = true;
    }
    assertEquals(!refused, late.isFinalized());
    if (refused) {
      assertFalse(mailbox.features().lateAcknowledgements(), "refused");
      assertEquals(late.body(), receive(mailbox).body());
    } else {
      assertNothing(mailbox);
    }
  }

  @Test
  void aLateNackOrExtensionIsRefused() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> late = receive(mailbox, shortly());
    passTime(shortly());

    if (refusesLateExtensions()) {
      assertThrows(ReceiptHandleExpiredException.class, () -> late.extendVisibility(LONG));
      assertThrows(ReceiptHandleExpiredException.class, () -> late.nack(LONG, "late"));
    } else {
      late.nack(Duration.ZERO, "late");
    }

    assertEquals(Optional.empty(), receive(mailbox).lastError());
  }

  @Test
  void anExtendedLeaseEndsLater() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox, shortly().multipliedBy(2));

    message.extendVisibility(shortly().multipliedBy(8));

    passTime(shortly().multipliedBy(3));
    assertNothing(mailbox);
    passTime(shortly().multipliedBy(5));
    assertEquals(2, receive(mailbox).deliveryCount());
  }

  @Test
  void anExtensionCountsFromNow() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);

    message.extendVisibility(shortly());

    passTime(shortly());
    assertEquals(2, receive(mailbox).deliveryCount());
    assertFalse(message.isFinalized());
  }

  @Test
  void leasesAreExtendedTogetherAndEachForItself() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send(independent("apple").build());
    Message<String, String> lost = receive(mailbox, shortly());
    passTime(shortly());
    Message<String, String> held = receive(mailbox);
    mailbox.send(independent("pear").build());
    Message<String, String> settled = receive(mailbox);
    settled.acknowledge();

    List<Optional<RuntimeException>> failures =
        mailbox.extendAll(
            List.of(lost, settled, held), new Extension(shortly(), LONG, Duration.ZERO));

    assertInstanceOf(ReceiptHandleExpiredException.class, failures.get(0).orElseThrow());
    assertInstanceOf(MessageFinalizedException.class, failures.get(1).orElseThrow());
    assertEquals(Optional.empty(), failures.get(2));
    passTime(shortly());
    assertEquals(3, receive(mailbox).deliveryCount());
  }

  @Test
  void anExtensionAfterOneWithoutAnAnswerIsMade() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);

    assertEquals(
        List.of(Optional.empty()),
        mailbox.extendAll(List.of(message), new Extension(LONG, LONG, LONG)));

    message.acknowledge();
  }
}
