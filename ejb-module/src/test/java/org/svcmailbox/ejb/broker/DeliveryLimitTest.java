package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.BrokerSession.Fetched;
import org.svcmailbox.core.broker.BrokerSession.LeftOut;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Dead;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Sorted;

/** A message whose deliveries keep ending with their session or their process is given up. */
@ExtendWith(Brokers.Lender.class)
final class DeliveryLimitTest {
  private static final int MOST = 3;

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture =
        brokers.start(
            EmbeddedArtemis.Options.standard()
                .with(EmbeddedArtemis.settings().setMaxDeliveryAttempts(MOST)));
    fixture.broker().createQueues(ORDERS);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      session.enqueue(FIRST, SampleMessages.message(FIRST, 1, later()), null);
      session.commit();
    }
  }

  private static Instant later() {
    return Instant.now().plus(Duration.ofDays(1));
  }

  private BrokerSession withTheMessage() {
    BrokerSession session = SampleLog.open(fixture.broker(), 0);
    assertEquals(1, session.fetch(FIRST, 1, true).deliveries().size());
    return session;
  }

  @Test
  void ofReceiversThatFail() {
    for (int i = 0; i < MOST; i++) {
      withTheMessage().fail();
    }
    assertEquals(0, fixture.broker().messages(FIRST));
    try (UndeliverableSorter sorter = fixture.sorter()) {
      Dead dead = new Dead(FIRST, ORDERS.name(), DeadLetterReason.MAX_DELIVERY);
      assertEquals(new Sorted(Map.of(dead, 1), 0, 0, 0), sorter.step());
    }
  }

  @Test
  void butNotOfReceiversThatEndInGoodOrder() {
    for (int i = 0; i < 3 * MOST; i++) {
      withTheMessage().close();
    }
    withTheMessage().close();
  }

  @Test
  void ofProcessesThatAreKilled() {
    for (int i = 0; i < MOST; i++) {
      BrokerSession session = withTheMessage();
      // The next commit takes the count of deliveries to the disk with it.
      SampleLog.of(session).append(i + 1);
      session.commit();
      fixture.crash();
    }
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Fetched fetched = session.fetch(FIRST, 1, true);
      assertEquals(List.of(), fetched.deliveries());
      assertEquals(
          List.of(DeadLetterReason.MAX_DELIVERY),
          fetched.leftOut().stream().map(LeftOut::reason).toList());
      session.commit();
    }
    List<ObservedLetter> letters = fixture.deadLetters(ORDERS.name());
    assertEquals(1, letters.size());
    ObservedLetter letter = letters.get(0);
    assertEquals(DeadLetterReason.MAX_DELIVERY, letter.why().reason());
    assertEquals(0, letter.why().attempt(), "no lease began");
    Duration kept = Duration.between(Instant.now(), letter.expiresAt());
    assertTrue(kept.compareTo(ArtemisFixture.OTHERS_RETENTION) > 0, "kept " + kept);
  }
}
