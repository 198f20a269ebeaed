package org.svcmailbox.core.worker.handover;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.handover.HandoverCodec.UnreadableException;

class HandoverCodecTest {
  private static final LeaseHolder NOBODY =
      new LeaseHolder(new CapabilityId("k", "00112233445566778899aabbccddeeff"), List.of());

  private static HandedLease lease(long number, ShardId shard, LeaseHolder holder) {
    return new HandedLease(
        shard,
        new MsgId(7, number),
        (int) number,
        new Receipt("life-" + number),
        holder,
        Duration.ofNanos(number),
        Duration.ofHours(12));
  }

  private static List<HandedLease> decoded(List<ByteBuffer> bodies) throws UnreadableException {
    List<HandedLease> all = new ArrayList<>();
    for (ByteBuffer body : bodies) {
      all.addAll(HandoverCodec.decode(body));
    }
    return all;
  }

  private static byte[] bytes(ByteBuffer body) {
    byte[] bytes = new byte[body.remaining()];
    body.duplicate().get(bytes);
    return bytes;
  }

  @Test
  void whatIsWrittenComesBack() throws UnreadableException {
    Random random = new Random(1);
    List<LeaseHolder> holders = new ArrayList<>(List.of(NOBODY));
    for (int i = 1; i <= 20; i++) {
      holders.add(SampleCallers.capability(i, "max_inflight = " + i, "max_inflight = 3").holder());
    }
    List<HandedLease> leases = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      ShardId shard = new ShardId(new TopicName("t" + random.nextInt(200)), random.nextInt(8));
      leases.add(lease(i, shard, holders.get(random.nextInt(holders.size()))));
    }
    List<ByteBuffer> bodies = HandoverCodec.encode(leases);
    assertEquals(leases, decoded(bodies));
    assertTrue(bodies.size() < 10, bodies.size() + " entries");
    bodies.forEach(body -> assertTrue(body.remaining() <= HandoverCodec.MOST_BYTES));
  }

  /** The largest of all: no two leases share anything, and each holder has all caveats it may. */
  @Test
  void noEntryIsTooLarge() throws UnreadableException {
    String[] caveats = new String[64];
    Arrays.fill(caveats, "max_inflight = 9");
    List<HandedLease> leases = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      ShardId shard = new ShardId(new TopicName("t".repeat(50) + i), i);
      leases.add(lease(i, shard, SampleCallers.capability(i, caveats).holder()));
    }
    List<ByteBuffer> bodies = HandoverCodec.encode(leases);
    assertEquals(leases, decoded(bodies));
    bodies.forEach(body -> assertTrue(body.remaining() <= HandoverCodec.MOST_BYTES));
  }

  @Test
  void noLeasesNeedNoEntry() {
    assertEquals(List.of(), HandoverCodec.encode(List.of()));
  }

  /** The layout is part of the data format. */
  @Test
  void theLayoutStays() {
    List<ByteBuffer> bodies =
        HandoverCodec.encode(List.of(lease(1, new ShardId(new TopicName("ab"), 3), NOBODY)));
    assertEquals(
        "01"
            + ("0001" + "00016b" + "00112233445566778899aabbccddeeff" + "0000")
            + ("0001" + "00026162" + "00000003")
            + ("0001" + "0000000000000007" + "0000000000000001" + "0000" + "0000" + "00000001")
            + ("0006" + HexFormat.of().formatHex("life-1".getBytes(US_ASCII)))
            + ("0000000000000001" + "0000274a48a78000"),
        HexFormat.of().formatHex(bytes(bodies.get(0))));
  }

  @Test
  void whatCannotBeReadIsReported() {
    ByteBuffer body =
        HandoverCodec.encode(List.of(lease(1, new ShardId(new TopicName("ab"), 3), NOBODY))).get(0);
    for (int length = 0; length < body.limit(); length++) {
      ByteBuffer shorter = body.duplicate().limit(length);
      assertThrows(UnreadableException.class, () -> HandoverCodec.decode(shorter));
    }
    ByteBuffer later = ByteBuffer.wrap(bytes(body)).put(0, (byte) 2);
    assertThrows(UnreadableException.class, () -> HandoverCodec.decode(later));
  }
}
