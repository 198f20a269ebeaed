package org.svcmailbox.undertow.intake;

import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;

/**
 * The bytes of one answer that its client has not taken. All answers share a budget, and none may
 * use much of it: a longer one makes its writer wait, as few writers may.
 */
final class HeldAnswer {
  /** All answers together. */
  static final long BUDGET = 64L << 20;

  /** One answer. */
  static final long MOST = 4L << 20;

  /** Request threads that may wait for their clients. */
  static final int WAITERS = 16;

  private final HttpServerExchange exchange;
  private final Counts counts;
  private final Deque<LentBuffer> parts = new ArrayDeque<>(1);
  private long bytes;
  private boolean isKnown;
  private boolean isWaiting;
  private boolean isOver;

  HeldAnswer(HttpServerExchange exchange, Counts counts) {
    this.exchange = exchange;
    this.counts = counts;
  }

  /** Copies what is left in {@code sources}, or nothing when there is no room. */
  synchronized boolean hold(ByteBuffer[] sources, int offset, int length) {
    long more = Buffers.remaining(sources, offset, length);
    if (isOver || bytes + more > MOST) {
      return false;
    }
    LentBuffer part = LentBuffer.of(counts.answerBytes, (int) more, BUDGET);
    if (part == null) {
      return false;
    }
    register();
    Buffers.copy(part.getBuffer(), sources, offset, length);
    part.getBuffer().flip();
    parts.add(part);
    bytes += more;
    return true;
  }

  /** The next bytes to write; null when there are none. */
  synchronized @Nullable ByteBuffer next() {
    LentBuffer first = parts.peek();
    while (first != null && !first.getBuffer().hasRemaining()) {
      parts.remove().close();
      bytes -= first.getBuffer().capacity();
      first = parts.peek();
    }
    return first == null ? null : first.getBuffer();
  }

  /** Lets the writer wait, unless too many do. */
  synchronized boolean mayWait() {
    if (!isOver && !isWaiting) {
      isWaiting = Counts.enter(counts.waitingWriters, 1, WAITERS);
      register();
    }
    return isWaiting;
  }

  synchronized boolean isWaiting() {
    return isWaiting;
  }

  /** The writer waits no longer. */
  synchronized void waited() {
    if (isWaiting) {
      isWaiting = false;
      counts.waitingWriters.decrementAndGet();
    }
  }

  private void register() {
    if (!isKnown) {
      isKnown = true;
      exchange.addExchangeCompleteListener(this::end);
    }
  }

  private void end(HttpServerExchange ended, NextListener next) {
    release();
    next.proceed();
  }

  private synchronized void release() {
    isOver = true;
    waited();
    parts.forEach(LentBuffer::close);
    parts.clear();
  }
}
