package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.bounds.InflightLimits.Full;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.ShardState;

class LeaseCollectorTest {
  private final DispatchScene scene = new DispatchScene();

  private LeaseBatch collect(int messages, long bytes, @Nullable Integer shard) {
    return collect(SampleCallers.OPERATOR, messages, bytes, shard);
  }

  private LeaseBatch collect(Caller caller, int messages, long bytes, @Nullable Integer shard) {
    RecvCall call = scene.call(caller, DispatchScene.NO_WAIT, messages, bytes, shard);
    return scene.collector.collect(List.of(scene.shard), 0, call, true);
  }

  /** Messages of ten bytes in the queue, the most that a call takes, and how many it gets. */
  @ParameterizedTest
  @CsvSource({
    "0, 5, 100, 0",
    "3, 5, 100, 3",
    "5, 3, 100, 3",
    "5, 5, 30, 3",
    "5, 5, 29, 2",
    // A message that is larger than the call takes is delivered alone.
    "5, 5, 1, 1"
  })
  void aCallGetsAsManyMessagesAndBytesAsItTakes(int ready, int messages, long bytes, int got) {
    scene.put(ready, 10);
    LeaseBatch batch = collect(messages, bytes, null);
    assertEquals(got, batch.size());
    assertEquals(10L * got, batch.bytes());
    assertNull(batch.stoppedBy());
    assertEquals(got, scene.leases().size());
    assertEquals(got, scene.inflight());
    assertEquals(ready - got, scene.shard.prefetched().size());
  }

  /** Sixteen of these fill the buffer. */
  @Test
  void aBufferThatIsUsedUpIsRefilled() {
    scene.put(40, 65_536);
    assertEquals(40, collect(100, Long.MAX_VALUE, null).size());
  }

  @Test
  void aCallForOneShardGetsNothingFromOthers() {
    scene.put(1, 1);
    assertTrue(collect(1, 1, 1).isEmpty());
    assertEquals(1, collect(1, 1, 0).size());
  }

  @Test
  void shardsTakeTurns() {
    ShardState absent = scene.worker.context.shard(new ShardId(scene.worker.topic.name(), 1));
    scene.put(1, 1);
    RecvCall call = scene.call(SampleCallers.OPERATOR, DispatchScene.NO_WAIT, 1, 1, 0);
    assertEquals(1, scene.collector.collect(List.of(scene.shard, absent), 1, call, true).size());
  }

  @Test
  void aLeaseLastsAsTheCallAsksAndItsTopicAllows() {
    scene.put(1, 1);
    scene.worker.time.advance(Duration.ofSeconds(1));
    long now = scene.worker.time.nanos();
    Lease lease = collect(1, 1, null).taken().get(0);
    assertEquals(now + DispatchScene.VISIBILITY.toNanos(), lease.deadline());
    Duration longest = scene.worker.topic.settings().retention().longestLease();
    assertEquals(now + longest.toNanos(), lease.until());
    assertEquals(SampleCallers.OPERATOR.capability().holder(), lease.holder());
    assertEquals(lease, scene.worker.context.leases().find(lease.msgId()));
  }

  @Test
  void aCapabilityGetsNoMoreThanItsCeiling() {
    scene.put(3, 1);
    Caller two = new SampleCallers().caller(1, "max_inflight = 2");
    LeaseBatch batch = collect(two, 3, 3, null);
    assertEquals(2, batch.size());
    batch.taken().forEach(scene.worker.limits.inflightLimits()::tryHold);
    LeaseBatch none = collect(two, 3, 3, null);
    assertTrue(none.isEmpty());
    assertEquals(Full.HOLDER, none.stoppedBy());
  }
}
