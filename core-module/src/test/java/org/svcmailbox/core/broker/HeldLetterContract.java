package org.svcmailbox.core.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;
import static org.svcmailbox.core.broker.BrokerContract.PATIENCE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.test.concurrent.Deadline;

/** The contract of a {@link BrokerSession} that turns dead letters into messages. */
@DisplayName("A session that takes dead letters")
public interface HeldLetterContract {
  /** The broker under test; the same one until {@link #crashAndReopen}. */
  Broker broker();

  /** Kills the process that uses the broker, and the broker; starts both again. */
  Broker crashAndReopen();

  /** The broker's wall clock. */
  Instant now();

  /** The addresses of a topic's dead letters, in the order they died. */
  List<LetterAddress> addresses(TopicName topic);

  @Test
  default void aLetterIsHeldByOneSessionUntilItIsGivenBack() {
    List<LetterAddress> letters = deadLetter(2);
    try (BrokerSession one = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      assertTrue(one.takeLetter(letters.get(0)));
      assertFalse(one.takeLetter(letters.get(0)), "it has it");
      assertFalse(other.takeLetter(letters.get(0)), "the other has it");
      assertTrue(other.takeLetter(letters.get(1)), "nobody has it");
      one.returnLetters();
      assertTrue(other.takeLetter(letters.get(0)), "given back");
      other.returnLetters();
      one.returnLetters();
      assertTrue(one.takeLetter(letters.get(1)));
    }
    assertEquals(2, broker().deadLetters(ORDERS.name()));
  }

  @Test
  default void aLetterEndsWithTheTransactionThatSendsWhatIsMadeOfIt() {
    List<LetterAddress> letters = deadLetter(3);
    try (BrokerSession session = SampleLog.open(broker(), 0);
        BrokerSession other = SampleLog.open(broker(), 1)) {
      assertTrue(session.takeLetter(letters.get(0)));
      assertTrue(session.takeLetter(letters.get(1)));
      session.acknowledgeLetter(letters.get(0));
      session.enqueue(FIRST, SampleMessages.message(FIRST, 7, now()), null);
      assertEquals(List.of(), other.fetch(FIRST, 1, true).deliveries(), "not committed yet");
      session.commit();
      session.returnLetters();
      assertEquals(letters.subList(1, 3), addresses(ORDERS.name()));
      assertEquals(2, broker().deadLetters(ORDERS.name()));
      assertFalse(session.takeLetter(letters.get(0)), "it is gone");
      assertFalse(other.takeLetter(letters.get(0)), "it is gone");
      assertTrue(other.takeLetter(letters.get(1)), "it was held only");
    }
    crashAndReopen();
    assertEquals(letters.subList(1, 3), addresses(ORDERS.name()));
    assertEquals(List.of(7L), fetched());
  }

  @Test
  default void aSessionThatEndsGivesBackWhatItDidNotCommit() {
    List<LetterAddress> letters = deadLetter(2);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertTrue(session.takeLetter(letters.get(0)));
      assertTrue(session.takeLetter(letters.get(1)));
      session.acknowledgeLetter(letters.get(0));
      session.enqueue(FIRST, SampleMessages.message(FIRST, 7, now()), null);
    }
    try (BrokerSession next = SampleLog.open(broker(), 0)) {
      assertEquals(List.of(), next.fetch(FIRST, 1, true).deliveries());
      // Perhaps after the broker's own pause between redeliveries.
      eventually(() -> next.takeLetter(letters.get(0)));
      assertTrue(next.takeLetter(letters.get(1)));
    }
    assertEquals(2, broker().deadLetters(ORDERS.name()));
  }

  @Test
  default void aCrashGivesBackWhatWasNotCommitted() {
    List<LetterAddress> letters = deadLetter(2);
    BrokerSession session = SampleLog.open(broker(), 0);
    assertTrue(session.takeLetter(letters.get(0)));
    session.acknowledgeLetter(letters.get(0));
    session.enqueue(FIRST, SampleMessages.message(FIRST, 7, now()), null);
    crashAndReopen();
    assertEquals(letters, addresses(ORDERS.name()));
    assertEquals(List.of(), fetched());
    try (BrokerSession next = SampleLog.open(broker(), 0)) {
      assertTrue(next.takeLetter(letters.get(0)));
    }
  }

  @Test
  default void whatIsNotThereIsNotTakenAndTheSessionGoesOn() {
    List<LetterAddress> letters = deadLetter(1);
    LetterAddress there = letters.get(0);
    LetterAddress gone = new LetterAddress(there.topic(), there.segment(), there.position() + 1);
    LetterAddress noQueue = new LetterAddress(there.topic(), there.segment() + 7, there.position());
    LetterAddress noTopic =
        new LetterAddress(new TopicName("nobody"), there.segment(), there.position());
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      assertFalse(session.takeLetter(gone));
      assertFalse(session.takeLetter(noQueue));
      assertFalse(session.takeLetter(noTopic));
      assertTrue(session.takeLetter(there));
      session.acknowledgeLetter(there);
      session.enqueue(FIRST, SampleMessages.message(FIRST, 7, now()), null);
      session.commit();
      session.returnLetters();
      assertFalse(session.takeLetter(noTopic));
    }
    assertEquals(List.of(), addresses(ORDERS.name()));
    assertEquals(List.of(7L), fetched());
  }

  /** Makes {@code letters} dead letters; returns their addresses. */
  private List<LetterAddress> deadLetter(int letters) {
    broker().createQueues(ORDERS);
    Quarantine why = new Quarantine(DeadLetterReason.MAX_ATTEMPTS, 1, "refused");
    try (BrokerSession session = SampleLog.open(broker(), 9)) {
      for (int seq = 1; seq <= letters; seq++) {
        session.enqueue(FIRST, SampleMessages.message(FIRST, seq, now()), null);
      }
      session.commit();
      int[] dead = new int[1];
      eventually(
          () -> {
            for (Delivery held : session.fetch(FIRST, letters, true).deliveries()) {
              session.quarantine(held, why, now().plusSeconds(3_600));
              dead[0]++;
            }
            session.commit();
            return dead[0] == letters;
          });
    }
    List<LetterAddress> addresses = addresses(ORDERS.name());
    assertEquals(letters, addresses.size());
    return addresses;
  }

  private List<Long> fetched() {
    try (BrokerSession session = SampleLog.open(broker(), 8)) {
      return new ArrayList<>(SampleMessages.seqs(session.fetch(FIRST, 10, true).deliveries()));
    }
  }

  private static void eventually(BooleanSupplier condition) {
    Deadline.in(PATIENCE).await(condition::getAsBoolean, () -> "what was to happen");
  }
}
