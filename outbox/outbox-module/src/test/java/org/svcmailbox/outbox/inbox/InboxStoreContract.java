package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxException;

/** The contract of an inbox with its consumer. */
public abstract class InboxStoreContract {
  private static final EventSubject SUBJECT = EventSubject.of("shop", "paid", 1);

  /** The consumer of the messages. */
  protected static final String CONSUMER = "orders";

  /** The clock of the store. */
  protected final VirtualClock clock = new VirtualClock();

  private final MessageId id = MessageId.next();

  /** An inbox. */
  protected abstract InboxStore store() throws Exception;

  /** A message of the consumer. */
  protected abstract Optional<InboxMessage> find(MessageId id) throws Exception;

  /** Whether an event was recorded in a transaction of the inbox. */
  protected abstract boolean isRecorded(MessageId id) throws Exception;

  private Insertion insert(Instant receivedAt) throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      Insertion insertion =
          transaction.messages().insert(InboxMessage.received(id, SUBJECT.value(), receivedAt));
      transaction.commit();
      return insertion;
    }
  }

  private InboxMessage row() throws Exception {
    return find(id).orElseThrow();
  }

  @Test
  void aMessageIsRememberedWithItsAttempts() throws Exception {
    Instant first = clock.now();
    assertEquals(Insertion.NEW, insert(first));
    clock.advance(Duration.ofSeconds(1));
    assertEquals(Insertion.UNFINISHED, insert(clock.now()));
    assertEquals(new InboxMessage(id.value(), SUBJECT.value(), first, null, 2, null), row());
  }

  @Test
  void aProcessedMessageStaysAsItIs() throws Exception {
    insert(clock.now());
    clock.advance(Duration.ofSeconds(1));
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().markProcessed(id);
      transaction.commit();
    }
    InboxMessage processed = row();
    assertEquals(clock.now(), processed.processedAt());
    assertEquals(Insertion.PROCESSED, insert(clock.now()));
    assertEquals(processed, row());
  }

  @Test
  void aMessageIsNotProcessedBeforeItIsReceived() throws Exception {
    insert(clock.now().plus(1, ChronoUnit.MICROS));
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      OutboxException e =
          assertThrows(OutboxException.class, () -> transaction.messages().markProcessed(id));
      assertEquals(ErrorCode.INVALID_TIMESTAMP, e.code());
    }
    assertEquals(null, row().processedAt());
  }

  @Test
  void aMessageThatAFastClockReceivedIsProcessedAtItsNextDelivery() throws Exception {
    insert(clock.now().plus(Duration.ofMinutes(2)));
    assertEquals(Insertion.UNFINISHED, insert(clock.now()));
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().markProcessed(id);
      transaction.commit();
    }
    assertEquals(clock.now(), row().receivedAt());
    assertEquals(clock.now(), row().processedAt());
  }

  @Test
  void withoutACommitNothingIsRemembered() throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().insert(InboxMessage.received(id, SUBJECT.value(), clock.now()));
    }
    assertEquals(Optional.empty(), find(id));
  }

  @Test
  void anErrorIsKept() throws Exception {
    insert(clock.now());
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().recordError(id, "é away");
      transaction.commit();
    }
    assertEquals("é away", row().lastError());
  }

  private DeadLetter letter(String msgId, String reason) {
    return new DeadLetter(id, msgId, SUBJECT, reason, 3, clock.now(), null);
  }

  @Test
  void aMessageHasOneDeadLetter() throws Exception {
    for (DeadLetter letter : new DeadLetter[] {letter("a", "first"), letter("b", "second")}) {
      try (InboxTransaction transaction = store().begin(CONSUMER)) {
        transaction.deadLetters().put(letter);
        transaction.commit();
      }
      try (InboxTransaction transaction = store().begin(CONSUMER)) {
        assertEquals(Optional.of(letter), transaction.deadLetters().find(id));
      }
    }
  }

  @Test
  void aDeadLetterIsRouted() throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.deadLetters().put(letter("a", "no"));
      transaction.deadLetters().routed(id);
      transaction.commit();
    }
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertEquals(clock.now(), transaction.deadLetters().find(id).orElseThrow().routedAt());
    }
  }

  @Test
  void anEventIsRecordedWithTheTransaction() throws Exception {
    NewEvent lost = NewEvent.of("order", "1", "paid", "{}");
    NewEvent kept = NewEvent.of("order", "1", "paid", "{}");
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.outbox().record(lost);
    }
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.outbox().record(kept);
      transaction.commit();
    }
    assertEquals(false, isRecorded(lost.id()));
    assertEquals(true, isRecorded(kept.id()));
  }
}
