package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;

/** A receive waits for messages, but not longer than its wait. */
abstract class WaitingCases extends ReplyCases {
  @Test
  void aReceiveWaitsForAMessage() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    Receiver receiver = new Receiver(mailbox, longWait(mailbox));

    mailbox.send("apple");

    assertEquals(List.of("apple"), receiver.bodies());
  }

  @Test
  void aReceiveNeedsNoDurations() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");

    Message<String, String> message = mailbox.receive().orElseThrow();

    assertEquals("apple", message.body());
    message.acknowledge();
  }

  @Test
  void aReceiveWaitsForALeaseToEnd() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> held = receive(mailbox, shortly());
    Receiver receiver = new Receiver(mailbox, longWait(mailbox));

    passTime(shortly());

    assertEquals(List.of("apple"), receiver.bodies());
    assertFalse(held.isFinalized());
  }

  @Test
  void aReceiveWaitsForANackedMessage() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> held = receive(mailbox);
    Receiver receiver = new Receiver(mailbox, longWait(mailbox));

    held.nack(shortly(), "in a moment");

    passTime(shortly());
    assertEquals(List.of("apple"), receiver.bodies());
  }

  @Test
  void aReceiveEndsWhenItsWaitIsOver() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    Receiver receiver = new Receiver(mailbox, shortly());

    passTime(shortly());

    assertEquals(List.of(), receiver.bodies());
  }

  @Test
  protected void anInterruptedReceiveIsEmptyAndKeepsTheFlag() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    Receiver receiver = new Receiver(mailbox, longWait(mailbox));

    receiver.thread.interrupt();

    assertEquals(List.of(), receiver.bodies());
    assertTrue(receiver.interrupted);
    mailbox.send("apple");
    assertEquals(1, receive(mailbox).deliveryCount());
  }

  @Test
  void aReceiveOfAnInterruptedThreadTakesNothing() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    settleDown(mailbox, 1);

    Thread.currentThread().interrupt();
    List<Message<String, String>> received = mailbox.receive(1, LONG, Duration.ZERO);

    assertTrue(Thread.interrupted());
    assertEquals(List.of(), received);
    assertEquals(1, receive(mailbox).deliveryCount());
  }
}
