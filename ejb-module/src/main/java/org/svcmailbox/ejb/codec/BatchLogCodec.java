package org.svcmailbox.ejb.codec;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.BatchLogEntry.Kind;
import org.svcmailbox.core.batch.DamagedEntry;

/**
 * The layout of an entry of a worker's batch log, part of the data format. It is a durable message
 * whose body begins with the version of the layout, one byte. In version 3 the kind follows in one
 * byte. Then come the writer's life, the entry's number, its batch's number and stamp, and the
 * log's first and last number, as big-endian longs. The kind's own bytes follow. The last four
 * bytes are the CRC-32C of all bytes before them.
 *
 * <p>Version 2 has neither kind, life nor checksum. It is read but no longer written.
 */
public final class BatchLogCodec {
  private static final byte VERSION = 3;
  private static final byte BEFORE = 2;
  private static final int NUMBER_AT = 1 + Byte.BYTES + Long.BYTES;
  private static final int BEFORE_HEADER = 1 + 5 * Long.BYTES;
  private static final int LEAST = 1 + BatchLogEntry.HEADER_BYTES;

  /** The kinds by their numbers in an entry: they never change, and new ones come last. */
  private static final Kind[] KINDS = {Kind.BATCH, Kind.BLANK, Kind.OPEN, Kind.HANDOVER};

  /** A message that is not an entry, or that was altered. */
  public static final class DamagedEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient DamagedEntry entry;

    DamagedEntryException(long number, String what) {
      super(what);
      this.entry = new DamagedEntry(number, what);
    }

    public DamagedEntry entry() {
      return entry;
    }
  }

  private BatchLogCodec() {}

  public static CoreMessage encode(BatchLogEntry entry, Instant now) {
    ByteBuffer own = entry.body().duplicate();
    ByteBuffer body = ByteBuffer.allocate(LEAST + own.remaining()).put(VERSION);
    body.put(number(entry.kind())).putLong(entry.life()).putLong(entry.number());
    body.putLong(entry.batch().number()).putLong(entry.batch().stamp());
    body.putLong(entry.from()).putLong(entry.to());
    body.put(own);
    body.putInt(checksum(body.array(), body.position()));
    return MessageCodec.durable(now, body.array());
  }

  private static byte number(Kind kind) {
    for (byte number = 0; number < KINDS.length; number++) {
      if (KINDS[number] == kind) {
        return number;
      }
    }
    throw new IllegalArgumentException("no number for " + kind);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  /** Decodes bytes of {@link #encode}, or of an earlier version. */
  public static BatchLogEntry decode(byte[] bytes) throws DamagedEntryException {
    if (bytes.length >= LEAST && bytes[0] == VERSION) {
      return decodeChecked(bytes);
    }
    if (bytes.length >= BEFORE_HEADER && bytes[0] == BEFORE) {
      return decodeBefore(bytes);
    }
    throw new DamagedEntryException(0, "a format that this version cannot read");
  }

  private static BatchLogEntry decodeChecked(byte[] bytes) throws DamagedEntryException {
    int end = bytes.length - Integer.BYTES;
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, end - 1);
    if (checksum(bytes, end) != ByteBuffer.wrap(bytes).getInt(end)) {
      throw damaged(ByteBuffer.wrap(bytes).getLong(NUMBER_AT), "its checksum does not match");
    }
    byte kind = in.get();
    if (kind < 0 || kind >= KINDS.length) {
      throw damaged(ByteBuffer.wrap(bytes).getLong(NUMBER_AT), "a kind of a later version");
    }
    return fields(KINDS[kind], in.getLong(), in);
  }

  private static BatchLogEntry decodeBefore(byte[] bytes) throws DamagedEntryException {
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    return fields(bytes.length == BEFORE_HEADER ? Kind.BLANK : Kind.BATCH, 0, in);
  }

  private static BatchLogEntry fields(Kind kind, long life, ByteBuffer in)
      throws DamagedEntryException {
    long number = in.getLong();
    try {
      BatchId batch = new BatchId(in.getLong(), in.getLong());
      return new BatchLogEntry(kind, life, number, batch, in.getLong(), in.getLong(), in.slice());
    } catch (IllegalArgumentException e) {
      throw damaged(number, "its numbers contradict each other");
    }
  }

  private static DamagedEntryException damaged(long number, String what) {
    return new DamagedEntryException(Math.max(0, number), what);
  }
}
