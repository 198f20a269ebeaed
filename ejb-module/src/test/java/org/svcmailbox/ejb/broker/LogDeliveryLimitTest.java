package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.test.concurrent.Deadline;

/** Why the broker must not give up on entries of a log ({@link SettingsCheck}). */
@ExtendWith(Brokers.Lender.class)
final class LogDeliveryLimitTest {
  private static final int MOST = 3;
  private static final SimpleString LOG = QueueNames.log(WorkerId.of(0));
  private static final Duration SOON = Duration.ofSeconds(20);

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
      loseTheLog();
    }
    // One lost entry is enough: the log is never whole again.
    Deadline.in(SOON).await(() -> fixture.count(LOG) < BatchLogEntry.SEED, () -> "all are left");
  }

  @Test
  void withoutALimitItIsWhole() {
    assertEquals(List.of(), fixture.broker().violations());
    for (int i = 0; i <= MOST; i++) {
      loseTheLog();
    }
    assertEquals(BatchLogEntry.SEED, fixture.count(LOG));
    assertEquals(0, SampleLog.lastBatch(fixture.broker(), 0));
  }

  private void loseTheLog() {
    BrokerSession session = SampleLog.open(fixture.broker(), 0);
    assertEquals(0, SampleLog.of(session).lastBatch());
    fixture.loseConnection(LOG);
    session.close();
  }
}
