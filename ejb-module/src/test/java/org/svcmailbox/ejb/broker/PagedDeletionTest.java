package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;

/**
 * Queues that are deleted while the broker reads their pages: the end of a read must not look like
 * a failed disk.
 */
@ExtendWith(Brokers.Lender.class)
class PagedDeletionTest {
  private static final SimpleString QUEUE = QueueNames.of(FIRST);
  private static final int ROUNDS = 10;
  private static final int MESSAGES = 500;

  private final Queue<String> diskErrors = new ConcurrentLinkedQueue<>();
  private ArtemisFixture fixture;
  private volatile boolean isDeleted;

  @BeforeEach
  void start(Brokers brokers) {
    fixture =
        brokers.start(
            EmbeddedArtemis.Options.standard()
                .with(
                    EmbeddedArtemis.settings()
                        .setMaxSizeBytes(10_000)
                        .setPageSizeBytes(10_000)
                        .setMaxReadPageBytes(20_000)));
    fixture.broker().onDiskError(diskErrors::add);
  }

  @Test
  void aDeletionIsNoFailureOfTheDisk() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      isDeleted = false;
      fixture.broker().createQueues(ORDERS);
      fill();
      assertTrue(fixture.artemis().isPaging(QUEUE), "nothing is paged");
      Thread reader = new Thread(this::read, "reader");
      reader.start();
      LockSupport.parkNanos(round * 1_000_000L % 37_000_000L);
      fixture.broker().deleteQueues(ORDERS);
      isDeleted = true;
      reader.join();
      assertEquals(List.of(), List.copyOf(diskErrors), "round " + round);
    }
    assertTrue(fixture.artemis().server().isStarted());
  }

  private void fill() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      for (int seq = 1; seq <= MESSAGES; seq++) {
        session.enqueue(FIRST, SampleMessages.message(FIRST, seq, Instant.now()), null);
      }
      session.commit();
    }
  }

  /** Artemis ends consumers with their queue, but not one that is opened at that moment. */
  private void read() {
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      while (!isDeleted) {
        session.fetch(FIRST, 20, true).deliveries().forEach(session::acknowledge);
        session.commit();
      }
    } catch (UnavailableException e) {
      // The queue is gone.
    }
  }
}
