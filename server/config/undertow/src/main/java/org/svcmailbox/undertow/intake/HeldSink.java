package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.undertow.threads.RequestThreads;
import org.xnio.Buffers;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * An answer that a request's thread writes. The thread leaves what the client does not take at
 * once, and the I/O thread writes it later ({@link HeldAnswer}). Only for long answers do threads
 * wait for their clients, and only a few threads may.
 *
 * <p>A servlet's stream ends an answer in a loop of {@code flush} and {@code awaitWritable}, and
 * Undertow flushes again once the thread has left. So a flush after a wait that did not take place
 * reports success, once. One thread at a time writes.
 */
final class HeldSink extends AbstractStreamSinkConduit<StreamSinkConduit> {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final HeldAnswer held;
  private boolean isTerminating;
  private boolean isExcused;

  HeldSink(StreamSinkConduit next, HttpServerExchange exchange, Counts counts) {
    super(next);
    this.held = new HeldAnswer(exchange, counts);
  }

  private long put(ByteBuffer[] sources, int offset, int length, boolean isFinal)
      throws IOException {
    long count = drain() ? pass(sources, offset, length, isFinal) : 0;
    long left = Buffers.remaining(sources, offset, length);
    if (left == 0) {
      held.waited();
    } else if (RequestThreads.isCurrent() && !held.isWaiting()) {
      return count + hold(sources, offset, length, isFinal);
    }
    return count;
  }

  private long pass(ByteBuffer[] sources, int offset, int length, boolean isFinal)
      throws IOException {
    long count =
        isFinal ? super.writeFinal(sources, offset, length) : super.write(sources, offset, length);
    held.took(count);
    return count;
  }

  private long hold(ByteBuffer[] sources, int offset, int length, boolean isFinal)
      throws IOException {
    long left = Buffers.remaining(sources, offset, length);
    if (!held.hold(sources, offset, length)) {
      return 0;
    }
    isTerminating = isFinal;
    return left;
  }

  /** Writes the held bytes; returns false if some are left. */
  private boolean drain() throws IOException {
    ByteBuffer next = held.next();
    while (next != null) {
      int count = super.write(next);
      if (count == 0) {
        return false;
      }
      held.took(count);
      next = held.next();
    }
    if (isTerminating) {
      isTerminating = false;
      super.terminateWrites();
    }
    return true;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) put(new ByteBuffer[] {source}, 0, 1, false);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return put(sources, offset, length, false);
  }

  @Override
  public int writeFinal(ByteBuffer source) throws IOException {
    return (int) put(new ByteBuffer[] {source}, 0, 1, true);
  }

  @Override
  public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
    return put(sources, offset, length, true);
  }

  @Override
  public long transferFrom(FileChannel source, long position, long count) throws IOException {
    long moved = drain() ? super.transferFrom(source, position, count) : 0;
    if (moved >= count || !RequestThreads.isCurrent()) {
      return moved;
    }
    ByteBuffer rest = ByteBuffer.allocate((int) Math.min(count - moved, HeldAnswer.MOST / 4));
    source.read(rest, position + moved);
    rest.flip();
    return moved + write(rest);
  }

  @Override
  public void terminateWrites() throws IOException {
    if (held.next() == null) {
      super.terminateWrites();
    } else {
      isTerminating = true;
    }
  }

  @Override
  public boolean flush() throws IOException {
    if (drain() && super.flush()) {
      return true;
    }
    boolean isDone = isExcused;
    isExcused = false;
    return isDone;
  }

  /** Looks again after a while: a connection that another thread closes may wake nobody. */
  @Override
  public void awaitWritable() throws IOException {
    if (!excuse()) {
      super.awaitWritable(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void awaitWritable(long time, TimeUnit unit) throws IOException {
    if (!excuse()) {
      super.awaitWritable(time, unit);
    }
  }

  private boolean excuse() {
    isExcused = RequestThreads.isCurrent() && !held.isWaiting();
    return isExcused;
  }
}
