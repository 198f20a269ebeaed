package org.svcmailbox.core.envelope;

import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.svcmailbox.core.problem.SchemaException;

/**
 * The id of a message: a ULID whose first ten random bits name the routing slot of its shard, so
 * that an ACK that carries nothing else still finds the one worker that can hold the lease.
 *
 * @param high 48 bits of milliseconds since 1970, 10 bits of slot, 6 random bits
 * @param low 64 random bits
 */
public record MsgId(long high, long low) implements Comparable<MsgId> {
  /** How many routing slots there are. */
  public static final int SLOTS = 1 << 10;

  /** Bytes of the binary form. */
  public static final int BYTES = 16;

  private static final int SLOT_SHIFT = 6;
  private static final long SLOT_MASK = (SLOTS - 1L) << SLOT_SHIFT;

  /**
   * A fresh id.
   *
   * @param slot the routing slot, 0 to {@link #SLOTS} - 1
   * @param now what its time part says
   */
  public static MsgId create(int slot, Instant now) {
    if (slot < 0 || slot >= SLOTS) {
      throw new IllegalArgumentException("slot " + slot);
    }
    Ulid ulid = UlidCreator.getUlid(now.toEpochMilli());
    long high = (ulid.getMostSignificantBits() & ~SLOT_MASK) | ((long) slot << SLOT_SHIFT);
    return new MsgId(high, ulid.getLeastSignificantBits());
  }

  /**
   * Reads the canonical text form.
   *
   * @throws SchemaException when {@code text} is not a ULID as this service writes it
   */
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

  /** Reads the 16-byte form. */
  public static MsgId ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a msg_id has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new MsgId(buffer.getLong(), buffer.getLong());
  }

  /** The 16-byte form; its unsigned order is the order of the text form. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  /** The routing slot, 0 to {@link #SLOTS} - 1. */
  public int slot() {
    return (int) ((high & SLOT_MASK) >>> SLOT_SHIFT);
  }

  /** When the id was made, to the millisecond. */
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
