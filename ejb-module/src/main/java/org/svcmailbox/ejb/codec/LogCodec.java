package org.svcmailbox.ejb.codec;

import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.LogEntry;

/**
 * The layout of an entry of a worker's log, part of the data format. It is a durable message whose
 * body begins with the version of the layout. Then come the entry's number, its batch's number and
 * stamp, and the log's first and last number, as big-endian longs. The batch's pages follow.
 */
public final class LogCodec {
  private static final byte VERSION = 2;
  private static final int HEADER = 1 + LogEntry.HEADER_BYTES;

  private LogCodec() {}

  public static CoreMessage encode(LogEntry entry, Instant now) {
    ByteBuffer pages = entry.pages().duplicate();
    ByteBuffer body = ByteBuffer.allocate(HEADER + pages.remaining()).put(VERSION);
    body.putLong(entry.number());
    body.putLong(entry.batch().number()).putLong(entry.batch().stamp());
    body.putLong(entry.from()).putLong(entry.to());
    body.put(pages);
    return MessageCodec.durable(now, body.array());
  }

  /** Reads what {@link #encode} wrote; null for anything else. */
  public static @Nullable LogEntry decode(byte[] bytes) {
    if (bytes.length < HEADER || bytes[0] != VERSION) {
      return null;
    }
    ByteBuffer body = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    long number = body.getLong();
    BatchId batch = new BatchId(body.getLong(), body.getLong());
    return new LogEntry(number, batch, body.getLong(), body.getLong(), body.slice());
  }
}
