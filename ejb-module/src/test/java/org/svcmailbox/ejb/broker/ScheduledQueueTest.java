package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.broker.ScheduledContract;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/** The broker tells what it keeps back, also to another process as long as that is little. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EnumSource
final class ScheduledQueueTest implements ScheduledContract {
  private final Way way;
  private ArtemisFixture fixture;

  ScheduledQueueTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
  }

  @Override
  public Broker broker() {
    return fixture.broker();
  }

  @Override
  public Broker crashAndReopen() {
    return fixture.crash();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void passUntil(Instant moment) {
    ArtemisFixture.passUntil(moment);
  }

  @Test
  void aBrokerInAnotherProcessListsUpToTwoThousand() {
    fixture.broker().createQueues(BrokerContract.ORDERS);
    Instant later = now().plusSeconds(3_600);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0);
        ArtemisBroker elsewhere = fixture.adapter(Way.CLIENT);
        ArtemisBroker here = fixture.adapter(Way.DIRECT)) {
      for (int seq = 1; seq <= 2_000; seq++) {
        session.enqueue(
            BrokerContract.FIRST, SampleMessages.message(BrokerContract.FIRST, seq, now()), later);
      }
      session.commit();
      assertEquals(2_000, elsewhere.scheduled(BrokerContract.FIRST, Position.FIRST, 9_999).size());
      session.enqueue(
          BrokerContract.FIRST, SampleMessages.message(BrokerContract.FIRST, 2_001, now()), later);
      session.commit();
      assertEquals(
          "a broker in another process lists up to 2000 scheduled messages",
          assertThrows(
                  UnavailableException.class,
                  () -> elsewhere.scheduled(BrokerContract.FIRST, Position.FIRST, 1))
              .getMessage());
      assertEquals(2_001, here.scheduled(BrokerContract.FIRST, Position.FIRST, 9_999).size());
    }
  }

  @Test
  void aBrokerInAnotherProcessThatCutsPropertiesOffSaysWhatToSet() {
    fixture.broker().createQueues(BrokerContract.ORDERS);
    fixture
        .artemis()
        .change(
            "mailbox.#", EmbeddedArtemis.settings().setManagementMessageAttributeSizeLimit(256));
    try (ArtemisBroker elsewhere = fixture.adapter(Way.CLIENT)) {
      String told =
          assertThrows(
                  UnavailableException.class,
                  () -> elsewhere.scheduled(BrokerContract.FIRST, Position.FIRST, 1))
              .getMessage();
      assertTrue(String.valueOf(told).contains("management-message-attribute-size-limit"), told);
    }
  }
}
