package org.svcmailbox.core.worker.handover;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.ReadyTopics;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.WorkerScene;

class TakeoverTest {
  private static final Duration LEFT = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final WorkerScene scene = new WorkerScene();
  private final Takeover takeover =
      new Takeover(
          scene.context,
          new Prefetcher(scene.context, new ReadyTopics(scene.context, scene.inbox)));

  private StoredMessage put() {
    StoredMessage message = scene.message();
    scene.put(message);
    return message;
  }

  private HandedLease leaseOf(StoredMessage message) {
    return leaseOf(message, scene.topic.shard(0));
  }

  private static HandedLease leaseOf(StoredMessage message, ShardId shard) {
    return new HandedLease(
        shard,
        message.envelope().msgId(),
        /* attempt= */ 1,
        new Receipt("r" + message.envelope().seq()),
        SampleCallers.capability(1).holder(),
        LEFT,
        LONGEST);
  }

  private void run(HandedLease... handed) {
    takeover.handed(List.of(handed));
    takeover.run();
  }

  /** The counts that operators see. */
  private void expect(int taken, int returned) {
    assertEquals(taken, scene.context.leases().size());
    assertEquals(taken, scene.count(Family.HANDOVER_LEASES_TOTAL, "taken"));
    assertEquals(returned, scene.count(Family.HANDOVER_LEASES_TOTAL, "returned"));
  }

  @Test
  void aLeaseGoesOnWithTheTimeThatItHadLeft() {
    StoredMessage message = put();
    scene.time.advance(Duration.ofSeconds(1));
    HandedLease handed = leaseOf(message);
    run(handed);
    Lease lease = requireNonNull(scene.context.leases().find(handed.msgId()));
    assertEquals(handed.receipt(), lease.receipt());
    assertEquals(handed.holder(), lease.holder());
    assertEquals(scene.time.nanos() + LEFT.toNanos(), lease.deadline());
    assertEquals(scene.time.nanos() + LONGEST.toNanos(), lease.until());
    assertTrue(lease.isHeld(), "by its client");
    assertEquals(1, scene.limits.inflightLimits().messages().total().count());
    expect(1, 0);
  }

  @Test
  void messagesBetweenLeasedOnesStayReady() {
    List<StoredMessage> sent = Stream.generate(this::put).limit(4).toList();
    run(leaseOf(sent.get(0)), leaseOf(sent.get(2)));
    expect(2, 0);
    assertEquals(sent.get(1), requireNonNull(scene.shard().prefetched().first()).message());
  }

  @Test
  void aMessageThatIsNowhereIsCounted() {
    StoredMessage message = put();
    run(leaseOf(scene.message()), leaseOf(message));
    expect(1, 1);
  }

  @Test
  void leasesOfOtherTopicsAndWorkersAreNotSearchedFor() {
    StoredMessage message = put();
    run(
        leaseOf(message, new ShardId(new TopicName("gone"), 0)),
        leaseOf(message, new ShardId(scene.topic.name(), 1)));
    expect(0, 2);
    assertEquals(0, scene.broker.delivering());
  }

  /** The broker says that nothing is ready while it reads a shard back from its pages. */
  @Test
  void aSearchWaitsForABrokerThatReadsBack() {
    StoredMessage message = put();
    scene.broker.readBackAfter(2);
    run(leaseOf(message));
    expect(1, 0);
  }

  @Test
  void anInterruptedThreadWaitsNoMore() {
    StoredMessage message = put();
    scene.broker.readBackAfter(2);
    Thread.currentThread().interrupt();
    run(leaseOf(message));
    assertTrue(Thread.interrupted());
    expect(0, 1);
  }

  @Test
  void leasesThatNobodyTookOverYetAreHandedOn() {
    HandedLease handed = leaseOf(put());
    takeover.handed(List.of(handed));
    assertEquals(List.of(handed), takeover.left(slot -> true).toList());
    assertEquals(List.of(), takeover.left(slot -> false).toList());
    takeover.run();
    assertEquals(List.of(handed), takeover.left(slot -> true).toList(), "as a lease");
    assertEquals(List.of(), takeover.left(slot -> false).toList());
    takeover.run();
    expect(1, 0);
  }

  @Test
  void leasesThatComeWithAGroupAddToThoseOfOthers() {
    StoredMessage before = put();
    run(leaseOf(before));
    StoredMessage after = put();
    takeover.handed(slot -> true, List.of(leaseOf(after), leaseOf(scene.message())));
    takeover.run();
    assertEquals(2, scene.context.leases().size());
    assertEquals(2, scene.count(Family.HANDOVER_LEASES_TOTAL, "taken"));
    assertEquals(1, scene.count(Family.HANDOVER_LEASES_TOTAL, "returned"));
  }

  @Test
  void aGroupThatLeavesTakesItsLeasesWithIt() {
    StoredMessage message = put();
    takeover.handed(List.of(leaseOf(message)));
    takeover.handed(slot -> slot == message.envelope().msgId().slot(), List.of());
    takeover.run();
    assertEquals(0, scene.context.leases().size());
  }
}
