package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeasesTest {
  private static final long IDLE = 1_000_000;

  private final LeasingScene scene = new LeasingScene(10);
  private final Leases leases = new Leases();
  private final Lease first = scene.lease(0, 100, 500);
  private final Lease second = scene.lease(1, 200, 500);

  private void addBoth() {
    leases.add(second);
    leases.add(first);
  }

  @Test
  void leasesExpireOnceInTheOrderOfTheirDeadlines() {
    addBoth();
    assertEquals(100, leases.untilFirst(0, IDLE));
    assertNull(leases.nextExpired(99));
    assertSame(first, leases.nextExpired(100));
    assertNull(leases.nextExpired(199));
    assertSame(second, leases.nextExpired(1_000));
    assertNull(leases.nextExpired(1_000));
    assertEquals(2, leases.size(), "they stay leases until they are removed");
    assertEquals(IDLE, leases.untilFirst(1_000, IDLE));
  }

  @Test
  void anExtendedLeaseExpiresAtItsLaterDeadlineOnly() {
    addBoth();
    leases.extend(first, 300);
    assertSame(second, leases.nextExpired(299));
    assertNull(leases.nextExpired(299));
    assertSame(first, leases.nextExpired(300));
  }

  /** Deadline before, and after a withdrawal at 100. */
  @ParameterizedTest
  @CsvSource({"99, 99", "100, 100", "101, 100", "500, 100"})
  void aWithdrawnLeaseEndsAtOnceAndNeverLater(long deadline, long expected) {
    Lease lease = scene.lease(0, deadline, 500);
    leases.add(lease);
    assertFalse(lease.isWithdrawn());
    leases.withdraw(lease, 100);
    assertTrue(lease.isWithdrawn());
    assertEquals(expected, lease.deadline());
    assertSame(lease, leases.nextExpired(100));
  }

  @Test
  void aRemovedLeaseNeitherExpiresNorIsFound() {
    addBoth();
    assertSame(first, leases.find(first.msgId()));
    leases.remove(first);
    assertNull(leases.find(first.msgId()));
    assertSame(second, leases.nextExpired(1_000));
    assertEquals(1, leases.size());
  }

  @Test
  void aMessageHasOneLease() {
    leases.add(first);
    Lease another = scene.lease(0, 300, 500);
    assertThrows(IllegalStateException.class, () -> leases.add(another));
    leases.remove(another);
    assertSame(first, leases.find(first.msgId()));
    assertEquals(1, first.shard().counters().inflight());
  }

  @Test
  void aShardKnowsWhetherAndHowOftenItIsLeased() {
    addBoth();
    ShardState shard = first.shard();
    assertEquals(2, shard.counters().inflight());
    leases.remove(first);
    leases.remove(first);
    assertTrue(shard.isLeased());
    leases.remove(second);
    assertFalse(shard.isLeased());
  }

  /** Otherwise a topic reports messages as ready that are not back in their queue yet. */
  @Test
  void aRemovedLeaseCountsAsInFlightUntilTheCommit() {
    addBoth();
    leases.remove(first);
    leases.remove(first);
    assertEquals(2, first.shard().counters().inflight());
    leases.onCommit();
    assertEquals(1, first.shard().counters().inflight());
    leases.remove(second);
    leases.onSessionLost();
    assertEquals(0, first.shard().counters().inflight());
  }

  @Test
  void aLostSessionEndsAllAndLeavesNoDeadline() {
    addBoth();
    leases.onSessionLost();
    assertEquals(0, leases.size());
    assertEquals(0, first.shard().counters().inflight());
    assertFalse(first.shard().isLeased());
    assertEquals(IDLE, leases.untilFirst(0, IDLE));
  }

  @Test
  void manyExtensionsOfOneLeaseExpireItOnce() {
    leases.add(first);
    IntStream.rangeClosed(1, 10_000).forEach(i -> leases.extend(first, 100 + i));
    assertNull(leases.nextExpired(10_099));
    assertSame(first, leases.nextExpired(10_100));
    assertNull(leases.nextExpired(1_000_000));
  }
}
