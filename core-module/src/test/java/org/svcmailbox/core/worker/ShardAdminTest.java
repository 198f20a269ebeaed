package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.dispatch.Inspection;
import org.svcmailbox.core.worker.dispatch.LeaseCollector;
import org.svcmailbox.core.worker.dispatch.LeaseDelivery;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.ReadyTopics;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.dispatch.WaitingCalls;
import org.svcmailbox.core.worker.handover.Takeover;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.core.worker.send.GroupLogs;
import org.svcmailbox.core.worker.settle.LateAcks;
import org.svcmailbox.core.worker.settle.Settlement;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerScene;

class ShardAdminTest {
  private final WorkerScene scene = new WorkerScene();
  private final ShardId id = scene.topic.shard(0);
  private final ShardState shard = scene.shard();
  private final GroupLogs log =
      new GroupLogs(
          scene.context,
          new BatchLogPorts(
              scene.registry,
              GroupsHere.all(Groups.ofWorkers(1)),
              new BatchLog.Window(3, 1 << 20),
              7));
  private final ShardAdmin admin = admin();

  private ShardAdmin admin() {
    ReadyTopics ready = new ReadyTopics(scene.context, scene.inbox);
    Prefetcher prefetcher = new Prefetcher(scene.context, ready);
    Inspection inspection = new Inspection(scene.context);
    Receipts receipts = new Receipts(new Random(1), Groups.ofWorkers(1), scene.time.instant());
    WaitingCalls waiting = new WaitingCalls(scene.context);
    LeaseDelivery delivery = new LeaseDelivery(scene.context, ready, scene.inbox);
    MessageDispatcher dispatcher =
        new MessageDispatcher(
            scene.context,
            ready,
            waiting,
            new LeaseCollector(scene.context, prefetcher, inspection, receipts),
            delivery);
    LateAcks lateAcks = new LateAcks(scene.context, prefetcher, receipts);
    Settlement settlement = new Settlement(scene.context, delivery, lateAcks);
    Takeover takeover = new Takeover(scene.context, prefetcher);
    GroupMoves moves =
        new GroupMoves(
            scene.context,
            log,
            dispatcher,
            settlement,
            lateAcks,
            receipts,
            takeover,
            new LeaseHandover(scene.context, log, takeover));
    return new ShardAdmin(
        scene.context, dispatcher, waiting, prefetcher, inspection, settlement, log, moves);
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      scene.put(scene.message());
    }
    admin.recount(id);
  }

  private Lease lease() {
    put(1);
    return scene.lease(scene.fetch(), Long.MAX_VALUE);
  }

  /** Messages in the queue, the most to remove, and how many are left. */
  @ParameterizedTest
  @CsvSource({"0, 5, 0", "5, 3, 2", "5, 5, 0", "3, 5, 0"})
  void aPurgeRemovesSoManyMessagesFromTheDisk(int messages, int most, int left) {
    put(messages);
    assertEquals(messages - left, admin.purge(id, most));
    assertEquals(left, shard.counters().depth());
    scene.broker.crash();
    assertEquals(left, scene.broker.messages(id));
  }

  @Test
  void aShardThatIsGoneHasNothingToPurge() {
    assertEquals(0, admin.purge(new ShardId(id.topic(), 1), 5));
  }

  /** It may add a message. */
  @Test
  void aShardIsNotClosedWhileATransactionIsInDoubt() {
    log.opened();
    assertFalse(admin.close(id));
    assertSame(shard, scene.context.known(id));
  }

  /** The most that are shown, and of which shard; none means all. */
  @ParameterizedTest
  @CsvSource({"2, , 2", "5, , 3", "5, 0, 3", "5, 1, 0"})
  void aPeekShowsTheFirstMessages(int most, Integer index, int seen) {
    put(3);
    assertEquals(seen, admin.peek(scene.topic, index, most).size());
    assertEquals(3, scene.broker.messages(id), "they stay");
  }

  @Test
  void aPeekShowsOthersInPlaceOfAlteredMessages() {
    StoredMessage sent = scene.message();
    Payload other = Payload.owning(new byte[] {1});
    scene.put(new StoredMessage(sent.envelope(), other, null, sent.expiresAt()));
    StoredMessage next = scene.message();
    scene.put(next);
    assertEquals(List.of(next), admin.peek(scene.topic, null, 1));
    assertEquals(1, scene.broker.quarantined(id.topic()).size(), "committed");
  }

  @Test
  void onlyAMessageThatWaitsForItsTimeIsCanceled() {
    StoredMessage ready = scene.message();
    scene.put(ready);
    assertFalse(admin.cancelScheduled(id, ready.envelope().msgId()));
    assertEquals(0, shard.counters().depth(), "nothing changed");
    assertEquals(
        0,
        scene.limits.workerMetrics().metrics().stream()
            .filter(metric -> metric.family() == Family.SCHEDULED_CANCELED_TOTAL)
            .mapToDouble(metric -> metric.now())
            .sum());
  }

  @Test
  void messagesFromElsewhereAreCountedAndLookedFor() {
    shard.emptyUntil(Long.MAX_VALUE);
    scene.put(scene.message());
    admin.arrived(id);
    assertEquals(1, shard.counters().depth());
    assertFalse(shard.isKnownEmpty(0));
    admin.arrived(new ShardId(id.topic(), 1));
    admin.recount(new ShardId(id.topic(), 1));
    assertEquals(1, shard.counters().depth());
  }

  @Test
  void aTopicThatIsDroppedIsForgotten() {
    lease();
    put(1);
    admin.drop(scene.topic);
    assertEquals(0, scene.context.leases().size());
    assertEquals(0, scene.broker.delivering());
    assertNotSame(shard, scene.context.shard(id));
  }

  @Test
  void aLeaseThatIsWithdrawnIsDueNow() {
    Lease lease = lease();
    assertEquals(0, admin.withdraw(one -> false));
    assertEquals(1, admin.withdraw(one -> true));
    assertTrue(lease.isWithdrawn());
    assertSame(lease, scene.context.leases().nextExpired(scene.time.nanos()));
  }
}
