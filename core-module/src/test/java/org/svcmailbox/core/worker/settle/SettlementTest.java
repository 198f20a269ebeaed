package org.svcmailbox.core.worker.settle;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.core.worker.dispatch.LeaseDelivery;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.ReadyTopics;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.WorkerScene;

class SettlementTest {
  private static final long PATIENCE = Duration.ofSeconds(1).toNanos();
  private static final Duration DELAY = Duration.ofMillis(10);

  private final WorkerScene scene = new WorkerScene();
  private final ReadyTopics ready = new ReadyTopics(scene.context, scene.inbox);
  private final Settlement settlement =
      new Settlement(
          scene.context,
          new LeaseDelivery(scene.context, ready, scene.inbox),
          new LateAcks(
              scene.context,
              new Prefetcher(scene.context, ready),
              new Receipts(new Random(2), Groups.ofWorkers(1), scene.time.instant())));

  private Lease lease(Duration visibility) {
    scene.put(scene.message());
    return scene.lease(scene.fetch(), scene.time.nanos() + visibility.toNanos());
  }

  private SettleOutcome settle(SettleRequest request) {
    CompletableFuture<SettleOutcome> reply = new CompletableFuture<>();
    settlement.settle(new Settle(SampleCallers.OPERATOR, request, reply));
    scene.commit();
    settlement.onCommit();
    return reply.join();
  }

  private Fate fate(Lease lease) {
    return requireNonNull(scene.context.settled().find(lease.msgId())).fate();
  }

  @Test
  void aStepExpiresAThousandLeasesAtMost() {
    for (int i = 0; i < 1_001; i++) {
      lease(Duration.ZERO);
    }
    assertEquals(1_000, settlement.expire(scene.time.nanos()));
    assertEquals(1, settlement.expire(scene.time.nanos()));
    assertEquals(0, settlement.expire(scene.time.nanos()));
    assertEquals(0, scene.context.leases().size());
  }

  @Test
  void anExpiredLeaseIsReadyAgainAtOnce() {
    Lease lease = lease(DELAY);
    assertEquals(0, settlement.expire(scene.time.nanos()));
    scene.time.advance(DELAY);
    assertEquals(1, settlement.expire(scene.time.nanos()));
    scene.commit();
    scene.broker.tick();
    assertEquals(Fate.EXPIRED, fate(lease));
    assertEquals(2, scene.fetch().message().envelope().attempt());
  }

  /** Nanoseconds after the NACK, and whether the message should be back by then. */
  @ParameterizedTest
  @CsvSource({"9999999, false", "10000000, true"})
  void aNackedMessageIsExpectedBackAfterItsDelay(long nanos, boolean isOverdue) {
    Lease lease = lease(Duration.ofSeconds(30));
    assertEquals(SettleOutcome.DONE, settle(new Nack(lease.msgId(), null, "no", DELAY)));
    assertTrue(lease.shard().isReturning(lease.msgId()));
    assertEquals(
        isOverdue ? lease.msgId() : null,
        lease.shard().overdue(scene.time.nanos() + nanos, PATIENCE));
  }

  @Test
  void anAckOnDiskOutlivesItsSession() {
    Lease kept = lease(Duration.ofSeconds(30));
    Lease lost = lease(Duration.ofSeconds(30));
    assertEquals(SettleOutcome.DONE, settle(new Ack(kept.msgId(), null)));
    settlement.settle(
        new Settle(SampleCallers.OPERATOR, new Ack(lost.msgId(), null), new CompletableFuture<>()));
    settlement.onSessionLost();
    assertEquals(Fate.ACKED, fate(kept));
    assertEquals(Fate.EXPIRED, fate(lost), "its outcome is unknown");
    assertNull(scene.context.leases().find(lost.msgId()));
  }

  @Test
  void aLostSessionEndsEveryLease() {
    Lease lease = lease(Duration.ofSeconds(30));
    settlement.onSessionLost();
    assertEquals(Fate.EXPIRED, fate(lease));
    assertEquals(0, scene.context.leases().size());
    assertEquals(0, scene.limits.inflight());
  }
}
