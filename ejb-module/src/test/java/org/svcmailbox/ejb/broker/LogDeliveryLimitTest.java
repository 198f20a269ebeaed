package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.ejb.admin.QueueNames;

/** Why the broker must not give up on entries of a log ({@link SettingsCheck}). */
@ExtendWith(Brokers.Lender.class)
final class LogDeliveryLimitTest {
  private static final int MOST = 3;

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @Test
  void aLimitWouldDeadLetterTheLogAfterLostSessions() {
    fixture
        .artemis()
        .change("mailbox.log.#", EmbeddedArtemis.logSettings().setMaxDeliveryAttempts(MOST));
    assertEquals(1, fixture.broker().violations().size());
    for (int i = 0; i < MOST; i++) {
      failWithTheLog();
    }
    assertEquals(0, fixture.count(QueueNames.log(WorkerId.of(0))));
  }

  @Test
  void withoutALimitItIsWhole() {
    assertEquals(List.of(), fixture.broker().violations());
    for (int i = 0; i <= MOST; i++) {
      failWithTheLog();
    }
    assertEquals(BatchLogEntry.SEED, fixture.count(QueueNames.log(WorkerId.of(0))));
    assertEquals(0, SampleLog.lastBatch(fixture.broker(), 0));
  }

  private void failWithTheLog() {
    BrokerSession session = fixture.broker().open(WorkerId.of(0));
    assertEquals(0, SampleLog.of(session).lastBatch());
    session.fail();
  }
}
