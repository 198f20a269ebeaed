package org.svcmailbox.core.envelope;

import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A ULID whose first ten random bits are its shard's routing slot, so that an ACK without a topic
 * finds its worker.
 *
 * @param high 48 bits of epoch milliseconds, 10 bits of slot, 6 random bits
 * @param low 64 random bits
 */
public record MsgId(long high, long low) implements Comparable<MsgId> {
  public static final int SLOTS = 1 << 10;

  public static final int BYTES = 16;

  private static final int SLOT_SHIFT = 6;
  private static final long SLOT_MASK = (SLOTS - 1L) << SLOT_SHIFT;

  /** Makes an id for a slot from 0 to {@link #SLOTS} - 1. */
  public static MsgId create(int slot, Instant now) {
    if (slot < 0 || slot >= SLOTS) {
      throw new IllegalArgumentException("slot " + slot);
    }
    Ulid ulid = UlidCreator.getUlid(now.toEpochMilli());
    long high = (ulid.getMostSignificantBits() & ~SLOT_MASK) | ((long) slot << SLOT_SHIFT);
    return new MsgId(high, ulid.getLeastSignificantBits());
  }

  /** Throws {@link SchemaException} unless {@code text} is a ULID in canonical form. */
  public static MsgId parse(String text) {
    if (!Ulid.isValid(text)) {
      throw new SchemaException("msg_id", "is not a ULID");
    }
    Ulid ulid = Ulid.from(text);
    MsgId id = new MsgId(ulid.getMostSignificantBits(), ulid.getLeastSignificantBits());
    if (!id.toString().equals(text)) {
      throw new SchemaException("msg_id", "is not a ULID in its canonical form");
    }
    return id;
  }

  public static MsgId ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a msg_id has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new MsgId(buffer.getLong(), buffer.getLong());
  }

  /** The binary form; its unsigned order equals the order of the text form. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  public int slot() {
    return (int) ((high & SLOT_MASK) >>> SLOT_SHIFT);
  }

  /** Millisecond precision. */
  public Instant createdAt() {
    return Instant.ofEpochMilli(high >>> 16);
  }

  @Override
  public int compareTo(MsgId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return new Ulid(high, low).toString();
  }
}
