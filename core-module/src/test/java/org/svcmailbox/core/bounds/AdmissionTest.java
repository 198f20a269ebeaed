package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.bounds.Admission.Admitted;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.topic.ShardId;

class AdmissionTest {
  private static final int MIB = 1 << 20;
  private static final ShardId SHARD = SampleShard.topic(1, "orders").shard(0);
  private static final ShardId OTHER = SampleShard.topic(2, "refunds").shard(0);

  private final Limits limits = limits(Map.of());
  private final Limits inMemory =
      limits(Map.of("mailbox.amnesia", "true", "mailbox.amnesia_max_bytes", "1048576"));

  private static Limits limits(Map<String, String> settings) {
    Map<String, String> values = new HashMap<>(settings);
    return new Limits(
        SettingsLoader.load(key -> Optional.ofNullable(values.get(key)), values.keySet(), 2),
        new TestDisk(),
        () -> 0L);
  }

  private static String admit(Limits limits, int size, ShardId shard, int capacity) {
    return limits
        .admit(size, shard, capacity, SampleMessages.HOLDER)
        .either(admitted -> "admitted", Refusal::reason);
  }

  private static Admitted admitted(Limits limits, int size) {
    return limits
        .admit(size, SHARD, 10, SampleMessages.HOLDER)
        .either(
            admitted -> admitted,
            why -> {
              throw new AssertionError(why);
            });
  }

  /** SENDs of the shard, bytes of all, and bytes of memory. */
  private static List<Long> counted(Limits limits) {
    return List.of(
        limits.counters(SHARD).pending().count(),
        limits.pendingBytes().total().count(),
        limits.pendingBytes().topics().of(SHARD.topic()),
        limits.pendingBytes().capabilities().of(SampleMessages.HOLDER));
  }

  @Test
  void aSendCountsUntilItIsTakenOrWithdrawn() {
    Admitted one = admitted(limits, 100);
    Admitted other = admitted(limits, 50);
    assertEquals(List.of(2L, 150L, 150L, 150L), counted(limits));
    one.take();
    assertEquals(List.of(1L, 50L, 50L, 50L), counted(limits));
    other.withdraw();
    assertEquals(List.of(0L, 0L, 0L, 0L), counted(limits));
  }

  @Test
  void aFullShardRefusesAndCountsNothing() {
    Admitted unused = admitted(limits, 100);
    assertEquals("shard_capacity", admit(limits, 1, SHARD, 1));
    assertEquals(List.of(1L, 100L, 100L, 100L), counted(limits));
    assertEquals(1, limits.counters(SHARD).pending().refused());
    assertEquals("admitted", admit(limits, 1, OTHER, 1));
  }

  /** A topic and a capability get half of all bytes, alone. */
  @Test
  void fullBytesRefuseAndCountNothing() {
    int half = (int) (Limits.MAX_PENDING_BYTES / 2);
    Admitted unused = admitted(limits, half);
    List<Long> before = counted(limits);
    assertEquals("pending_bytes", admit(limits, half, SHARD, 10));
    assertEquals("pending_bytes", admit(limits, half + 1, OTHER, 10));
    assertEquals(before, counted(limits));
    assertEquals(2, limits.pendingBytes().total().refused());
  }

  @Test
  void fullMemoryRefusesAndCountsNothing() {
    Admitted kept = admitted(inMemory, MIB / 2);
    List<Long> before = counted(inMemory);
    assertEquals("amnesia_max_bytes", admit(inMemory, MIB / 2, OTHER, 10));
    assertEquals(before, counted(inMemory));
    kept.withdraw();
    assertEquals("admitted", admit(inMemory, MIB / 2, OTHER, 10));
  }

  @Test
  void memoryOfATakenSendStaysItsOwn() {
    admitted(inMemory, MIB / 2).take();
    assertEquals("amnesia_max_bytes", admit(inMemory, MIB / 2, OTHER, 10));
  }
}
