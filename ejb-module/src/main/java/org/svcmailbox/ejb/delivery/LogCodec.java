package org.svcmailbox.ejb.delivery;

import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.BatchId;
import org.svcmailbox.core.delivery.LogEntry;

/**
 * The layout of an entry of a worker's log, part of the data format: a small durable message whose
 * body is the version of the layout, and the entry's number, its batch's number and stamp, and the
 * log's first and last number, as big-endian longs.
 */
final class LogCodec {
  private static final byte VERSION = 1;
  private static final int BYTES = 1 + 5 * Long.BYTES;

  private LogCodec() {}

  static CoreMessage encode(LogEntry entry, Instant now) {
    ByteBuffer body = ByteBuffer.allocate(BYTES).put(VERSION);
    body.putLong(entry.number());
    body.putLong(entry.batch().number()).putLong(entry.batch().stamp());
    body.putLong(entry.from()).putLong(entry.to());
    return MessageCodec.durable(now, body.array());
  }

  /** Reads what {@link #encode} wrote; null for anything else. */
  static @Nullable LogEntry decode(byte[] bytes) {
    if (bytes.length != BYTES || bytes[0] != VERSION) {
      return null;
    }
    ByteBuffer body = ByteBuffer.wrap(bytes, 1, BYTES - 1);
    long number = body.getLong();
    BatchId batch = new BatchId(body.getLong(), body.getLong());
    return new LogEntry(number, batch, body.getLong(), body.getLong());
  }
}
