package org.svcmailbox.core.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;

final class InMemoryBrokerTest implements BrokerContract, HeldLetterContract, ScheduledContract {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final InMemoryBroker broker = new InMemoryBroker(() -> now);

  @Override
  public Broker broker() {
    return broker;
  }

  @Override
  public Broker crashAndReopen() {
    broker.crash();
    return broker;
  }

  @Override
  public List<ObservedLetter> deadLetters(TopicName topic) {
    return broker.quarantined(topic);
  }

  @Override
  public List<LetterAddress> addresses(TopicName topic) {
    return broker.letterPositions(topic).keySet().stream()
        .sorted()
        .map(place -> new LetterAddress(topic, 0, place))
        .toList();
  }

  @Override
  public void plantUnreadable(ShardId shard) {
    broker.plantUnreadable(shard);
  }

  @Override
  public Runnable commitLate(BrokerSession session) {
    broker.failNextCommit(CommitFault.LATE);
    assertThrows(UnavailableException.class, session::commit);
    return () -> {
      if (broker.hasLateCommit()) {
        broker.endLateCommit(/* takesEffect= */ true);
      }
    };
  }

  @Override
  public void takeLogFrom(BrokerSession session) {
    ((InMemoryBrokerSession) session).loseLogs();
  }

  @Override
  public void endQuietly(BrokerSession session) {
    broker.endQuietly(session);
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void passUntil(Instant moment) {
    if (moment.isAfter(now)) {
      now = moment;
    }
    broker.tick();
  }

  @Test
  void aCommitThatFailsBeforeItTookEffectLeavesNothing() {
    assertEquals(0, messagesAfter(CommitFault.BEFORE));
    assertEquals(0, broker.commits());
  }

  @Test
  void aCommitThatFailsAfterItTookEffectIsDurable() {
    assertEquals(1, messagesAfter(CommitFault.AFTER));
    assertEquals(1, broker.commits());
  }

  private long messagesAfter(CommitFault fault) {
    broker.createQueues(ORDERS);
    BrokerSession session = SampleLog.open(broker, 0);
    broker.failNextCommit(fault);
    session.commit();
    session.enqueue(FIRST, SampleMessages.message(FIRST, 1, now), null);
    assertThrows(UnavailableException.class, session::commit);
    assertThrows(UnavailableException.class, session::commit);
    session.close();
    assertEquals(0, broker.openSessions());
    return broker.counts(FIRST).messages();
  }

  @Test
  void aBrokerThatIsDownRefusesEverythingAndKeepsWhatItHeld() {
    broker.createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      session.enqueue(FIRST, SampleMessages.message(FIRST, 1, now), null);
      session.commit();
      broker.goDown();
      assertThrows(UnavailableException.class, () -> session.fetch(FIRST, 1, true).deliveries());
    }
    assertThrows(UnavailableException.class, () -> SampleLog.open(broker, 0));
    assertThrows(UnavailableException.class, () -> broker.counts(FIRST));
    broker.comeBack();
    assertEquals(1, broker.counts(FIRST).messages());
  }

  @Test
  void scheduledMessagesWakeInTickOnly() {
    broker.createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(broker, 0)) {
      session.enqueue(FIRST, SampleMessages.message(FIRST, 1, now), now);
      session.commit();
      assertEquals(List.of(), session.fetch(FIRST, 1, true).deliveries());
      broker.tick();
      assertEquals(1, session.fetch(FIRST, 1, true).deliveries().size());
    }
  }

  @Test
  void watchesFireThroughTheExecutorThatWasGiven() {
    List<Runnable> handedOver = new ArrayList<>();
    List<String> arrivals = new ArrayList<>();
    InMemoryBroker deferred = new InMemoryBroker(() -> now, handedOver::add);
    deferred.createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(deferred, 0)) {
      session.watch(FIRST, () -> arrivals.add("arrived"));
      session.enqueue(FIRST, SampleMessages.message(FIRST, 1, now), null);
      session.commit();
      assertEquals(List.of(), arrivals);
      handedOver.forEach(Runnable::run);
      assertEquals(List.of("arrived"), arrivals);
    }
  }
}
