package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.ScheduledContract;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/** Only the broker of this process tells what it keeps back. */
@ExtendWith(Brokers.Lender.class)
final class ScheduledQueueTest implements ScheduledContract {
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), Way.DIRECT);
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
  void aBrokerInAnotherProcessCannotTell() {
    try (ArtemisBroker elsewhere = fixture.adapter(Way.CLIENT)) {
      elsewhere.createQueues(BrokerContract.ORDERS);
      assertThrows(
          UnavailableException.class,
          () -> elsewhere.scheduled(BrokerContract.FIRST, Position.FIRST, 1));
    }
  }
}
