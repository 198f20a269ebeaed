package org.svcmailbox.bench.outbox;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.outbox.OutboxTransactions.Millis;
import org.svcmailbox.outbox.event.EventRules;

class OutboxOrdersTest {
  @Test
  void everyEventIsOneThatTheOutboxTakes() {
    assertDoesNotThrow(() -> EventRules.require(OutboxOrders.event(1_234_567), Instant.now()));
    assertFalse(OutboxOrders.json(17).contains("#"));
  }

  @Test
  void anEventIsTheSameInARowAndInAMessage() {
    assertEquals(
        OutboxOrders.headers(17).aggregate(), "order:" + OutboxOrders.event(17).aggregateId());
    assertEquals(OutboxOrders.event(17).payload(), OutboxOrders.payload(17));
  }

  /** md5 of "17" begins with 70efdf, which is 7401439. */
  @Test
  void theAggregateEqualsThatOfSql() {
    assertEquals("1439", OutboxOrders.aggregate(17));
  }

  @Test
  void theTimeAddedIsThatBeyondTheTransactionAlone() {
    Millis millis = new Millis(0.4, 0.45, 0.5, 0.6);
    assertEquals(1.25, millis.ratio(), 1e-9);
    assertEquals(0.5, millis.added(), 1e-9);
  }
}
