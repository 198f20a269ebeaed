package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.pair.BrokerMark.Content;
import org.svcmailbox.ejb.pair.PairException;
import org.svcmailbox.ejb.pair.PairId;

@ExtendWith(Brokers.Lender.class)
final class ArtemisMarkTest {
  private static final PairId ONE = new PairId("one");
  private static final PairId OTHER = new PairId("other");

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  private ArtemisMark mark() {
    return new ArtemisMark(BrokerAccess.of(fixture.artemis().locator()));
  }

  @Test
  void theIdsOutliveAKillOfTheBroker() {
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(), false), mark.read());
      mark.add(ONE);
      mark.add(ONE);
      mark.add(OTHER);
    }
    fixture.crash();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(ONE, OTHER), false), mark.read());
      mark.remove(ONE);
      mark.remove(ONE);
    }
    fixture.crash();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(OTHER), false), mark.read());
    }
  }

  /** A start would wait for the entries of each, and no worker would ever write them. */
  @Test
  void queuesOfOthersWithTheNamesOfLogsAreRefusedByName() throws Exception {
    SampleLog.open(fixture.broker(), 3).close();
    Map<String, UnaryOperator<QueueConfiguration>> foreign =
        Map.of(
            "mailbox.log.7 is not exclusive", queue -> queue.setExclusive(false),
            "mailbox.log.8 is not anycast", queue -> queue.setRoutingType(RoutingType.MULTICAST),
            "mailbox.log.9 is not durable", queue -> queue.setDurable(false),
            "mailbox.log.10 has a filter", queue -> queue.setFilterString("a = 1"),
            "mailbox.log.11 is on another address", queue -> queue.setAddress("mailbox.log.x"),
            "mailbox.log.12 drops entries", queue -> queue.setPurgeOnNoConsumers(true),
            "mailbox.log.64 has no number of a worker (0 to 63)", queue -> queue,
            "mailbox.log.007 has no number of a worker (0 to 63)", queue -> queue,
            "mailbox.log.99999999999 has no number of a worker (0 to 63)", queue -> queue,
            "mailbox.log.mine has no number of a worker (0 to 63)", queue -> queue);
    for (Map.Entry<String, UnaryOperator<QueueConfiguration>> one : foreign.entrySet()) {
      String name = one.getKey().split(" ", 2)[0];
      QueueConfiguration exclusive =
          QueueConfiguration.of(name)
              .setRoutingType(RoutingType.ANYCAST)
              .setAutoCreateAddress(true)
              .setExclusive(true);
      fixture.artemis().server().createQueue(one.getValue().apply(exclusive));
    }
    try (ArtemisMark mark = mark()) {
      String refusal = String.valueOf(assertThrows(PairException.class, mark::read).getMessage());
      foreign.keySet().forEach(one -> assertTrue(refusal.contains(one), one + ": " + refusal));
      assertFalse(refusal.contains("mailbox.log.3 "), refusal);
      // Somebody may have changed a real log: to remove it would lose its batches.
      assertTrue(refusal.contains("a log of this service its settings back"), refusal);
      assertEquals(1, refusal.lines().count());
    }
  }

  @Test
  void aBrokerWithALogWasUsed() {
    SampleLog.open(fixture.broker(), 3).close();
    try (ArtemisMark mark = mark()) {
      assertEquals(new Content(Set.of(), true), mark.read());
    }
    assertEquals(List.of(WorkerId.of(3)), fixture.broker().loggedWorkers());
  }
}
