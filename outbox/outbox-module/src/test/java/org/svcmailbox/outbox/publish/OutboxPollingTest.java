package org.svcmailbox.outbox.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.memory.InMemoryOutbox;

class OutboxPollingTest {
  private static final int PAUSES = 8;

  private final RecordingClock clock = new RecordingClock();
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);

  /** Time that passes only where somebody waits for it, and an interrupt after some waits. */
  private final class RecordingClock implements MailboxClock {
    private final List<Long> millis = new ArrayList<>();
    private long nanos;

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void await(Lock held, Condition condition, long deadline) throws InterruptedException {
      if (millis.size() == PAUSES) {
        throw new InterruptedException();
      }
      millis.add(Duration.ofNanos(deadline - nanos).toMillis());
      nanos = deadline;
      if (millis.size() == PAUSES - 2) {
        outbox.record(NewEvent.of("order", "1", "paid", "1"));
      }
    }
  }

  @Test
  void pausesBetweenPollsDoubleUntilThereIsAnEvent() {
    EventPublisher topic =
        (subject, payload, headers) -> CompletableFuture.completedFuture(new Published("1", false));
    OutboxPublisher.builder(
            outbox, PublisherSettings.of("shop"), subject -> List.of("t"), name -> topic)
        .clock(clock)
        .build()
        .run();
    assertTrue(Thread.interrupted());
    assertEquals(List.of(20L, 40L, 80L, 160L, 250L, 250L, 20L, 40L), clock.millis);
  }
}
