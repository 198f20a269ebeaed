package org.svcmailbox.ejb.broker;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.core.redrive.DiscardPermitsContract;

@ExtendWith(Brokers.Lender.class)
final class ArtemisPermitsTest implements DiscardPermitsContract {
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @Override
  public DiscardPermits permits() {
    return fixture.broker().discardPermits();
  }

  @Override
  public void crash() {
    fixture.crash();
  }
}
