package org.svcmailbox.undertow.intake;

import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/**
 * The bytes of one body that have arrived, within its owner's share of a budget. Memory is taken as
 * bytes arrive and at most doubles, so a client must send what it wants to occupy.
 */
final class ArrivingBody {
  private static final int SMALLEST = 4 << 10;
  private static final int LARGEST = 64 << 10;

  /** The result of an attempt to read on. */
  enum Outcome {
    /** More is to arrive. */
    UNFINISHED,
    /** The body is complete. */
    WHOLE,
    /** The body is larger than allowed, and not complete. */
    TOO_LARGE,
    /** The budget is used up, or the owner has its whole share. */
    NO_ROOM
  }

  private final BodyBudget.Share share;
  private final long most;
  private final List<LentBuffer> parts = new ArrayList<>();
  private long received;

  /**
   * A body of which nothing has arrived.
   *
   * @param share the memory for bodies
   * @param most the most bytes that it may have
   */
  ArrivingBody(BodyBudget.Share share, long most) {
    this.share = share;
    this.most = most;
  }

  /** Reads what has arrived, without blocking, and at most one byte more than the body may have. */
  Outcome read(StreamSourceChannel channel) throws IOException {
    while (received <= most) {
      ByteBuffer room = room();
      if (room == null) {
        return Outcome.NO_ROOM;
      }
      int count = channel.read(room);
      if (count <= 0) {
        return count < 0 ? Outcome.WHOLE : Outcome.UNFINISHED;
      }
      received += count;
    }
    return Outcome.TOO_LARGE;
  }

  private @Nullable ByteBuffer room() {
    if (!parts.isEmpty()) {
      ByteBuffer last = parts.get(parts.size() - 1).getBuffer();
      if (last.hasRemaining()) {
        return last;
      }
    }
    long wanted = Math.min(Math.max(received, SMALLEST), LARGEST);
    LentBuffer more = LentBuffer.of(share, (int) Math.min(wanted, most + 1 - received));
    if (more == null) {
      return null;
    }
    parts.add(more);
    return more.getBuffer();
  }

  long received() {
    return received;
  }

  /** Passes the bytes on; the exchange must read and close them. */
  PooledByteBuffer[] take() {
    parts.forEach(part -> part.getBuffer().flip());
    PooledByteBuffer[] taken = parts.toArray(PooledByteBuffer[]::new);
    parts.clear();
    return taken;
  }

  /** Discards what has arrived. */
  void release() {
    parts.forEach(LentBuffer::close);
    parts.clear();
  }
}
