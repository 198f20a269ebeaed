package org.svcmailbox.core.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;
import static org.svcmailbox.core.broker.BrokerContract.SECOND;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.test.concurrent.Deadline;

/** The contract of a {@link Broker} that can list scheduled messages. */
public interface ScheduledContract {
  /** The broker under test, empty at first; the same one until {@link #crashAndReopen}. */
  Broker broker();

  /** Kills the process that uses the broker, and the broker; starts both again. */
  Broker crashAndReopen();

  /** The broker's wall clock. */
  Instant now();

  /** Returns once the broker's wall clock shows {@code moment} or later. */
  void passUntil(Instant moment);

  private StoredMessage send(BrokerSession session, long seq, Instant due) {
    StoredMessage message = SampleMessages.message(FIRST, seq, now());
    session.enqueue(FIRST, message, due);
    return message;
  }

  private static List<Long> seqs(List<ScheduledMessage> messages) {
    return messages.stream().map(message -> message.envelope().seq()).toList();
  }

  @Test
  default void scheduledMessagesAreToldSoonestFirstAndInPages() {
    broker().createQueues(ORDERS);
    Instant soon = now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      session.enqueue(FIRST, SampleMessages.message(FIRST, 1, now()), null);
      send(session, 2, soon.plusSeconds(60));
      send(session, 3, soon);
      for (long seq = 4; seq <= 8; seq++) {
        send(session, seq, soon.plusSeconds(30));
      }
      session.enqueue(SECOND, SampleMessages.message(SECOND, 1, now()), soon);
      session.commit();

      List<ScheduledMessage> all = broker().scheduled(FIRST, Position.FIRST, 100);
      assertEquals(all.stream().sorted(ScheduledMessage.ORDER).toList(), all);
      assertEquals(LongStream.range(2, 9).boxed().toList(), seqs(all).stream().sorted().toList());
      assertEquals(3, seqs(all).get(0));
      assertEquals(2, seqs(all).get(6));
      assertEquals(soon, all.get(0).due());
      List<Long> paged = new ArrayList<>();
      Position after = Position.FIRST;
      for (List<ScheduledMessage> page = broker().scheduled(FIRST, after, 2);
          !page.isEmpty();
          page = broker().scheduled(FIRST, after, 2)) {
        paged.addAll(seqs(page));
        after = page.get(page.size() - 1).position();
      }
      assertEquals(seqs(all), paged);
    }
  }

  @Test
  default void aScheduledMessageThatIsRemovedIsGoneForGood() {
    broker().createQueues(ORDERS);
    Instant later = now().plusSeconds(3_600);
    MsgId gone;
    MsgId ready;
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      gone = send(session, 1, later).envelope().msgId();
      send(session, 2, later);
      StoredMessage first = SampleMessages.message(FIRST, 3, now());
      session.enqueue(FIRST, first, null);
      ready = first.envelope().msgId();
      session.commit();
    }
    assertFalse(broker().removeScheduled(SECOND, gone), "of another shard");
    assertTrue(broker().removeScheduled(FIRST, gone));
    assertFalse(broker().removeScheduled(FIRST, gone), "twice");
    assertFalse(broker().removeScheduled(FIRST, ready), "what is ready");
    assertEquals(2, broker().messages(FIRST));
    crashAndReopen();
    assertEquals(2, broker().messages(FIRST));
    assertEquals(List.of(2L), seqs(broker().scheduled(FIRST, Position.FIRST, 10)));
  }

  @Test
  default void whatHasBecomeDueIsScheduledNoMore() {
    broker().createQueues(ORDERS);
    Instant soon = now().plusMillis(300);
    try (BrokerSession session = SampleLog.open(broker(), 0)) {
      MsgId due = send(session, 1, soon).envelope().msgId();
      session.commit();
      passUntil(soon.plusMillis(50));
      Deadline.in(BrokerContract.PATIENCE)
          .await(() -> broker().counts(FIRST).scheduled() == 0, () -> "the broker lets it out");
      assertFalse(broker().removeScheduled(FIRST, due));
      assertEquals(1, broker().messages(FIRST));
    }
  }
}
