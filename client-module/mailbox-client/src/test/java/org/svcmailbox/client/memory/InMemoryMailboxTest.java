package org.svcmailbox.client.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.test.concurrent.Deadline;

/** The promises of the mailbox in memory beyond the contract. */
class InMemoryMailboxTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final VirtualClock clock = new VirtualClock();
  private final InMemoryMailbox<Object, Object> mailbox =
      InMemoryMailbox.builder("orders").clock(clock).build();

  private Message<Object, Object> receive() {
    return mailbox.receive(1, LEASE, Duration.ZERO).get(0);
  }

  @Test
  void itHoldsTenThousandMessages() {
    for (int i = 0; i < 10_000; i++) {
      mailbox.send(i);
    }
    assertThrows(MailboxFullException.class, () -> mailbox.send("one too many"));
    assertEquals(10_000, mailbox.approximateCount());
    assertThrows(
        IllegalArgumentException.class, () -> InMemoryMailbox.builder("orders").capacity(0));
  }

  @Test
  void itRemembersAsManyKeysAsMessagesFit() {
    InMemoryMailbox<String, String> windowed =
        InMemoryMailbox.<String, String>builder("orders")
            .clock(clock)
            .like(BackendFeatures.HTTP)
            .capacity(1)
            .build();
    windowed.send(Outgoing.builder("apple").key("1").build());
    windowed.receive(1, LEASE, Duration.ZERO).get(0).acknowledge();

    Outgoing<String, Object> next = Outgoing.builder("pear").key("2").build();
    assertThrows(MailboxFullException.class, () -> windowed.send(next));
    clock.advance(BackendFeatures.HTTP.keyWindow());
    windowed.send(next);
  }

  @Test
  void aReferenceIsTheObjectItselfAndHasNoBytes() {
    Object body = new Object();
    mailbox.send(body);
    Message<Object, Object> message = receive();
    assertSame(body, message.body());
    assertThrows(UnsupportedOperationException.class, message::rawBody);
  }

  @Test
  void referencesAreTheSameBodyIfTheyAreEqual() {
    mailbox.send(Outgoing.builder((Object) "apple").key("1").build());
    mailbox.send(Outgoing.builder((Object) "apple").key("1").build());
    Outgoing<Object, Object> other = Outgoing.builder((Object) "pear").key("1").build();
    assertThrows(KeyConflictException.class, () -> mailbox.send(other));
  }

  @Test
  void theReasonOfANackIsToldOnceAndCutBetweenCharacters() {
    mailbox.send("apple");
    receive().nack(Duration.ZERO, "x".repeat(1_023) + "\ud83c\udf4e");
    assertEquals(Optional.of("x".repeat(1_023)), receive().lastError());
    clock.advance(LEASE);
    assertEquals(Optional.empty(), receive().lastError());
  }

  @Test
  void aLostLeaseSaysWhy() {
    mailbox.send("apple");
    Message<Object, Object> first = receive();
    clock.advance(LEASE);
    assertEquals(Why.EXPIRED, why(first));
    Message<Object, Object> second = receive();
    assertEquals(Why.SUPERSEDED, why(first));
    mailbox.purge();
    assertEquals(Why.GONE, why(second));
  }

  private static Why why(Message<Object, Object> message) {
    return assertThrows(ReceiptHandleExpiredException.class, () -> message.extendVisibility(LEASE))
        .why();
  }

  /** A clock that is moved by hand wakes every waiter, so only the machine's shows this. */
  @Test
  void aWaitingReceiveWakesForAnEarlierMoment() throws Exception {
    InMemoryMailbox<String, String> real = InMemoryMailbox.<String, String>builder("real").build();
    real.send("apple");
    Message<String, String> held = real.receive(1, LEASE, Duration.ZERO).get(0);
    FutureTask<List<Message<String, String>>> waited =
        new FutureTask<>(() -> real.receive(1, LEASE, Duration.ofHours(1)));
    Thread receiver = new Thread(waited, "receiver");
    receiver.start();
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> receiver.getState() == Thread.State.TIMED_WAITING, () -> "the receiver waits");

    held.nack(Duration.ofMillis(20), "in a moment");

    assertEquals(2, waited.get(10, TimeUnit.SECONDS).get(0).deliveryCount());
  }

  @Test
  void timeDoesNotGoBack() {
    assertThrows(IllegalArgumentException.class, () -> clock.advance(Duration.ofNanos(-1)));
  }
}
