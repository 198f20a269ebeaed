package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;

/** A message ends with its acknowledgement, and comes back after a nack. */
abstract class SettlementCases extends LeaseCases {
  @Test
  void anAcknowledgedMessageNeverComesBack() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox, shortly());

    message.acknowledge();

    assertTrue(message.isFinalized());
    passTime(shortly().multipliedBy(2));
    assertNothing(mailbox);
  }

  @Test
  void aNackedMessageComesBackAtOnce() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Message<String, String> first = receive(mailbox);

    first.nack(Duration.ZERO, "no basket");

    assertTrue(first.isFinalized());
    Message<String, String> second = receive(mailbox);
    assertEquals(first.id(), second.id());
    assertEquals(2, second.deliveryCount());
  }

  @Test
  void theReasonOfANackIsToldWithTheNextDelivery() {
    Mailbox<String, String> mailbox = mailbox();
    boolean told = mailbox.features().nackReasons();
    mailbox.send("apple");

    receive(mailbox).nack(Duration.ZERO, "no basket: \u00e4");
    Message<String, String> second = receive(mailbox, shortly());
    assertEquals(told ? Optional.of("no basket: \u00e4") : Optional.empty(), second.lastError());
    passTime(shortly());
    Message<String, String> third = receive(mailbox);
    assertEquals(Optional.empty(), third.lastError());
    third.nack(Duration.ZERO);
    assertEquals(Optional.empty(), receive(mailbox).lastError());
  }

  @Test
  void aNackedMessageStaysHiddenAsLongAsAsked() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");

    receive(mailbox).nack(shortly().multipliedBy(6));

    passTime(shortly());
    assertNothing(mailbox);
    passTime(shortly().multipliedBy(5));
    assertEquals(2, receive(mailbox).deliveryCount());
  }

  @Test
  void everyDeliveryIsCounted() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("apple");
    Set<String> handles = new HashSet<>();
    for (int delivery = 1; delivery <= 3; delivery++) {
      Message<String, String> message = receive(mailbox);
      assertEquals(delivery, message.deliveryCount());
      assertTrue(handles.add(message.receiptHandle()));
      message.nack(Duration.ZERO, "x".repeat(5_000));
    }
  }

  @Test
  void anAcknowledgedMessageIsFinalized() {
    Message<String, String> message = held();
    message.acknowledge();
    assertFinalized(message);
  }

  @Test
  void aNackedMessageIsFinalized() {
    Message<String, String> message = held();
    message.nack(LONG, "not now");
    assertFinalized(message);
  }

  @Test
  void oneOfTwoThreadsFinalizes() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    ExecutorService threads = threads(2);
    CyclicBarrier start = new CyclicBarrier(2);
    for (int round = 0; round < 20; round++) {
      mailbox.send("apple " + round);
      Message<String, String> message = receive(mailbox);
      Callable<Boolean> acknowledgement =
          () -> {
            start.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            try {
              message.acknowledge();
              return true;
            } catch (MessageFinalizedException e) {
              return false;
            }
          };
      List<Boolean> won = new ArrayList<>();
      for (Future<Boolean> future : threads.invokeAll(List.of(acknowledgement, acknowledgement))) {
        won.add(future.get());
      }
      assertTrue(won.contains(true) && won.contains(false), won::toString);
    }
  }

  private static void assertFinalized(Message<String, String> message) {
    assertTrue(message.isFinalized());
    for (Executable call :
        List.<Executable>of(
            message::acknowledge,
            () -> message.nack(Duration.ZERO, ""),
            () -> message.extendVisibility(LONG),
            () -> message.reply("late"))) {
      assertThrows(MessageFinalizedException.class, call);
    }
  }
}
