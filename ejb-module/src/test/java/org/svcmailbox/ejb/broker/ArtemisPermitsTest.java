package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.core.redrive.DiscardPermitsContract;

@ExtendWith(Brokers.Lender.class)
final class ArtemisPermitsTest implements DiscardPermitsContract {
  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @Test
  void queuesOfOthersAreNoPermits() throws Exception {
    JobId job = new JobId("j0123456789abcdef");
    permits().grant(job);
    for (String name : List.of("x", "j0123456789abcdeF", "j0123456789abcdef0", "")) {
      fixture
          .artemis()
          .server()
          .createQueue(
              QueueConfiguration.of("mailbox.job." + name)
                  .setRoutingType(RoutingType.ANYCAST)
                  .setAutoCreateAddress(true));
    }
    assertEquals(Set.of(job), permits().all());
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
