package org.svcmailbox.undertow.intake;

import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.IoUtils;

/**
 * The bytes of one answer that its client has not taken. All answers share a budget, and each one
 * may use only a small part: a longer one makes its writer wait, which only few writers may do. If
 * there is no room, the client that is furthest behind loses its connection.
 */
final class HeldAnswer {
  /** The most bytes of all answers together. */
  static final long BUDGET = 64L << 20;

  /** The most bytes of one answer. */
  static final long MOST = 4L << 20;

  /** The most request threads that wait for their clients. */
  static final int WAITERS = 16;

  /** The time per byte of a client that does not fall behind: it reads 1 MB/s. */
  private static final long NANOS_PER_BYTE = 1_000;

  /** A client that is less behind may only be slow for a moment, so a writer waits instead. */
  private static final long LATE_NANOS = 1_000_000_000;

  private final HttpServerExchange exchange;
  private final Counts counts;
  private final Deque<LentBuffer> parts = new ArrayDeque<>(1);
  private long bytes;
  private long since;
  private long taken;
  private boolean isKnown;
  private boolean isWaiting;
  private boolean isOver;
  private boolean isCut;

  HeldAnswer(HttpServerExchange exchange, Counts counts) {
    this.exchange = exchange;
    this.counts = counts;
  }

  /** Copies the rest of {@code sources}; returns false if the writer must wait for its client. */
  boolean hold(ByteBuffer[] sources, int offset, int length) throws IOException {
    boolean isLong = isLong(Buffers.remaining(sources, offset, length));
    while (!copied(sources, offset, length)) {
      if (!isLong && counts.held.cutLatest(HeldAnswer::isHolding, LATE_NANOS)) {
        continue;
      }
      if (mayWait()) {
        return false;
      }
      counts.held.cutLatest(isLong ? HeldAnswer::isWaiting : HeldAnswer::isHolding, Long.MIN_VALUE);
    }
    return true;
  }

  private synchronized boolean isLong(long more) {
    return bytes + more > MOST;
  }

  private synchronized boolean copied(ByteBuffer[] sources, int offset, int length)
      throws IOException {
    begin();
    long more = Buffers.remaining(sources, offset, length);
    if (bytes + more > MOST) {
      return false;
    }
    LentBuffer part = LentBuffer.of(counts.answers, (int) more);
    if (part == null) {
      return false;
    }
    Buffers.copy(part.getBuffer(), sources, offset, length);
    part.getBuffer().flip();
    parts.add(part);
    bytes += more;
    return true;
  }

  private void begin() throws IOException {
    if (isOver) {
      throw new IOException("the answer is over");
    }
    if (bytes == 0 && !isWaiting) {
      since = System.nanoTime();
      taken = 0;
    }
    if (!isKnown) {
      isKnown = true;
      counts.held.add(this);
      exchange.addExchangeCompleteListener(this::end);
    }
  }

  /** The next bytes to write; null if there are none. */
  synchronized @Nullable ByteBuffer next() throws IOException {
    if (isCut) {
      throw new IOException("cut: others need the memory, and this client is furthest behind");
    }
    LentBuffer first = parts.peek();
    while (first != null && !first.getBuffer().hasRemaining()) {
      parts.remove().close();
      bytes -= first.getBuffer().capacity();
      first = parts.peek();
    }
    return first == null ? null : first.getBuffer();
  }

  /** Records that the client has taken bytes. */
  synchronized void took(long count) {
    taken += count;
  }

  /** How much longer the client has taken than one that reads at the expected rate. */
  synchronized long nanosBehind(long now) {
    return now - since - taken * NANOS_PER_BYTE;
  }

  private synchronized boolean mayWait() {
    if (!isOver && !isWaiting) {
      isWaiting = Counts.enter(counts.waitingWriters, 1, WAITERS);
    }
    return isWaiting;
  }

  synchronized boolean isWaiting() {
    return isWaiting;
  }

  private synchronized boolean isHolding() {
    return bytes > 0;
  }

  /** Records that the writer no longer waits. */
  synchronized void waited() {
    if (isWaiting) {
      isWaiting = false;
      counts.waitingWriters.decrementAndGet();
    }
  }

  /** Ends the answer together with its connection; its bytes are free at once. */
  boolean cut() {
    if (!isFirstCut()) {
      return false;
    }
    counts.cutAnswers.increment();
    exchange.getIoThread().execute(() -> IoUtils.safeClose(exchange.getConnection()));
    return true;
  }

  private synchronized boolean isFirstCut() {
    boolean isFirst = !isOver;
    if (isFirst) {
      isCut = true;
      release();
    }
    return isFirst;
  }

  private void end(HttpServerExchange ended, NextListener next) {
    release();
    next.proceed();
  }

  private synchronized void release() {
    isOver = true;
    counts.held.remove(this);
    waited();
    parts.forEach(LentBuffer::close);
    parts.clear();
    bytes = 0;
  }
}
