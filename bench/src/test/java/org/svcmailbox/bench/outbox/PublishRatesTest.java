package org.svcmailbox.bench.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.outbox.PublishRates.Mark;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.publish.OutboxEventPublished;

class PublishRatesTest {
  private static final OutboxEventPublished EVENT =
      new OutboxEventPublished(
          MessageId.next(), "order_placed", OutboxOrders.subject(), Instant.EPOCH);

  private long nanos;
  private final PublishRates rates =
      new PublishRates(
          List.of(new Mark(2, () -> pass(60_000)), new Mark(5, () -> {})), () -> nanos);

  private void pass(long millis) {
    nanos += Duration.ofMillis(millis).toNanos();
  }

  private void publish(int events, long millisEach) {
    for (int i = 0; i < events; i++) {
      pass(millisEach);
      rates.published(EVENT);
    }
  }

  @Test
  void aRateCountsFromTheMarkBefore() throws Exception {
    pass(7);
    rates.begin();
    publish(2, 100);
    publish(3, 10);
    rates.await(Duration.ZERO);
    assertEquals(List.of(10.0, 100.0), rates.perSecond());
  }

  @Test
  void theLastMarkIsTheEnd() {
    rates.begin();
    publish(4, 10);
    assertThrows(IllegalStateException.class, () -> rates.await(Duration.ZERO));
    publish(2, 10);
    assertEquals(2, rates.perSecond().size());
  }
}
