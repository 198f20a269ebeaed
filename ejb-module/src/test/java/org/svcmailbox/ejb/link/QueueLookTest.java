package org.svcmailbox.ejb.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueAdmin;
import org.svcmailbox.ejb.broker.ArtemisFixture;
import org.svcmailbox.ejb.broker.Brokers;
import org.svcmailbox.ejb.broker.EmbeddedArtemis;
import org.svcmailbox.test.concurrent.Deadline;

/** Looking into the broker of this process, which may be silent meanwhile. */
@ExtendWith(Brokers.Lender.class)
class QueueLookTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final SimpleString QUEUE = SimpleString.of("mailbox.look");

  @Test
  void aQueueThatIsCountedDoesNotSayThatTheBrokerAnswers(Brokers brokers) {
    AtomicLong nanos = new AtomicLong();
    BrokerState state = new BrokerState(nanos::get);
    try (ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard())) {
      BrokerAccess access =
          new BrokerAccess(
              fixture.artemis().locator(),
              () -> BrokerAccess.Login.NONE,
              fixture.artemis()::server,
              state);
      try (BrokerConnections connections = new BrokerConnections(access);
          BrokerAdmin admin = new BrokerAdmin(connections)) {
        QueueAdmin queues = admin.queues();
        queues.create(QUEUE);
        fixture.plant(QUEUE, 2);
        awaitCount(queues, 2);
        assertThrows(UnavailableException.class, () -> fallSilent(state, nanos));

        assertEquals(2, queues.countMessages(QUEUE));
        assertEquals(2, queues.counts(QUEUE).messages());
        assertTrue(queues.bytes(QUEUE) > 0);
        assertTrue(state.isSilent());

        admin.requireAnswer();
        assertFalse(state.isSilent());
      }
    }
  }

  /** The broker counts what it routed on a thread of the queue. */
  private static void awaitCount(QueueAdmin queues, int messages) {
    Deadline.in(PATIENCE)
        .await(
            () -> queues.countMessages(QUEUE) == messages,
            () -> queues.countMessages(QUEUE) + " messages");
  }

  private static void fallSilent(BrokerState state, AtomicLong nanos) {
    state.asking(
        () -> {
          nanos.addAndGet(BrokerState.PATIENCE.toNanos());
          throw new UnavailableException("no answer");
        });
  }
}
