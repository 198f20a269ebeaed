package org.svcmailbox.core.worker.handover;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.capability.caveat.Quota;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

/**
 * The body of a log entry that hands leases over, part of the data format. A version (one byte) is
 * followed by the holders and the shards of its leases. The leases come last and refer to both by
 * index. Each list begins with its length in two bytes. Integers are big-endian; a text begins with
 * its length in two bytes; a time is nanoseconds in eight bytes.
 */
public final class HandoverCodec {
  private static final Logger LOG = System.getLogger(HandoverCodec.class.getName());

  /** With the rest of the entry, below the size that Artemis keeps in a separate file. */
  static final int MOST_BYTES = 80_000;

  private static final byte VERSION = 1;
  private static final int EMPTY = 1 + 3 * Short.BYTES;
  private static final int OWNER_BYTES = 32;

  /** A body that this version cannot read. */
  public static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String why) {
      super(why);
    }
  }

  private HandoverCodec() {}

  /** The bodies of as few entries as the leases fit into. */
  public static List<ByteBuffer> encode(Iterable<HandedLease> leases) {
    List<ByteBuffer> bodies = new ArrayList<>();
    Body body = new Body();
    for (HandedLease lease : leases) {
      if (!body.hasRoomFor(lease)) {
        body.addTo(bodies);
        body = new Body();
      }
      body.add(lease);
    }
    body.addTo(bodies);
    return bodies;
  }

  /** One entry's leases, and the values that they share. */
  private static final class Body {
    private final Table<LeaseHolder> holders = new Table<>(HandoverCodec::encode);
    private final Table<ShardId> shards = new Table<>(HandoverCodec::encode);
    private final List<byte[]> leases = new ArrayList<>();
    private int bytes = EMPTY;

    boolean hasRoomFor(HandedLease lease) {
      int more = holders.sizeOf(lease.holder()) + shards.sizeOf(lease.shard());
      return bytes + more + encode(lease, 0, 0).length <= MOST_BYTES;
    }

    void add(HandedLease lease) {
      bytes += holders.sizeOf(lease.holder()) + shards.sizeOf(lease.shard());
      byte[] encoded =
          encode(lease, shards.placeOf(lease.shard()), holders.placeOf(lease.holder()));
      bytes += encoded.length;
      leases.add(encoded);
    }

    void addTo(List<ByteBuffer> bodies) {
      if (leases.isEmpty()) {
        return;
      }
      ByteBuffer out = ByteBuffer.allocate(bytes).put(VERSION);
      for (List<byte[]> list : List.of(holders.encoded(), shards.encoded(), leases)) {
        out.putShort((short) list.size());
        list.forEach(out::put);
      }
      bodies.add(out.flip());
    }
  }

  private static byte[] encode(LeaseHolder holder) {
    byte[] key = holder.id().keyId().getBytes(US_ASCII);
    byte[] nonce = HexFormat.of().parseHex(holder.id().nonce());
    int ceilings = holder.ceilings().size() * (OWNER_BYTES + Integer.BYTES);
    ByteBuffer out =
        ByteBuffer.allocate(Short.BYTES + key.length + nonce.length + Short.BYTES + ceilings);
    out.putShort((short) key.length).put(key).put(nonce);
    out.putShort((short) holder.ceilings().size());
    for (Quota<Condition.MaxInflight> ceiling : holder.ceilings()) {
      out.put(HexFormat.of().parseHex(ceiling.owner())).putInt(ceiling.caveat().leases());
    }
    return out.array();
  }

  private static byte[] encode(ShardId shard) {
    byte[] topic = shard.topic().value().getBytes(UTF_8);
    ByteBuffer out = ByteBuffer.allocate(Short.BYTES + topic.length + Integer.BYTES);
    return out.putShort((short) topic.length).put(topic).putInt(shard.index()).array();
  }

  private static byte[] encode(HandedLease lease, int shard, int holder) {
    byte[] receipt = lease.receipt().value().getBytes(US_ASCII);
    int fixed = MsgId.BYTES + 3 * Short.BYTES + Integer.BYTES + 2 * Long.BYTES;
    ByteBuffer out = ByteBuffer.allocate(fixed + receipt.length);
    out.put(lease.msgId().bytes()).putShort((short) shard).putShort((short) holder);
    out.putInt(lease.attempt()).putShort((short) receipt.length).put(receipt);
    return out.putLong(lease.left().toNanos()).putLong(lease.longest().toNanos()).array();
  }

  /**
   * Decodes bytes of {@link #encode}.
   *
   * @throws UnreadableException also if a later version wrote it
   */
  public static List<HandedLease> decode(ByteBuffer body) throws UnreadableException {
    ByteBuffer in = body.duplicate();
    try {
      byte version = in.get();
      if (version != VERSION) {
        throw new UnreadableException("version " + version);
      }
      List<LeaseHolder> holders = list(in, HandoverCodec::holder);
      List<ShardId> shards = list(in, HandoverCodec::shard);
      return list(in, from -> lease(from, shards, holders));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new UnreadableException(e.toString());
    }
  }

  /** The leases of several bodies; those of one that cannot be read have ended. */
  public static List<HandedLease> readable(List<ByteBuffer> bodies) {
    List<HandedLease> leases = new ArrayList<>();
    for (ByteBuffer body : bodies) {
      try {
        leases.addAll(decode(body));
      } catch (UnreadableException e) {
        LOG.log(Level.WARNING, "Leases of an earlier process cannot be read and have ended", e);
      }
    }
    return leases;
  }

  private interface Reader<T> {
    T read(ByteBuffer in);
  }

  private static <T> List<T> list(ByteBuffer in, Reader<T> reader) {
    List<T> all = new ArrayList<>();
    for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
      all.add(reader.read(in));
    }
    return all;
  }

  private static LeaseHolder holder(ByteBuffer in) {
    String key = text(in);
    CapabilityId id = CapabilityId.of(key, bytes(in, CapabilityId.NONCE_BYTES));
    return new LeaseHolder(id, list(in, HandoverCodec::ceiling));
  }

  private static Quota<Condition.MaxInflight> ceiling(ByteBuffer in) {
    String owner = HexFormat.of().formatHex(bytes(in, OWNER_BYTES));
    return new Quota<>(owner, new Condition.MaxInflight(in.getInt()));
  }

  private static ShardId shard(ByteBuffer in) {
    return new ShardId(new TopicName(text(in)), in.getInt());
  }

  private static HandedLease lease(ByteBuffer in, List<ShardId> shards, List<LeaseHolder> holders) {
    MsgId msgId = MsgId.ofBytes(bytes(in, MsgId.BYTES));
    ShardId shard = shards.get(Short.toUnsignedInt(in.getShort()));
    LeaseHolder holder = holders.get(Short.toUnsignedInt(in.getShort()));
    int attempt = in.getInt();
    Receipt receipt = new Receipt(text(in));
    Duration left = Duration.ofNanos(in.getLong());
    return new HandedLease(
        shard, msgId, attempt, receipt, holder, left, Duration.ofNanos(in.getLong()));
  }

  private static String text(ByteBuffer in) {
    return new String(bytes(in, Short.toUnsignedInt(in.getShort())), UTF_8);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
