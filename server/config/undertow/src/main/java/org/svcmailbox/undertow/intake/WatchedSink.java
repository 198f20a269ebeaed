package org.svcmailbox.undertow.intake;

import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * An answer to a client that may not read it. Undertow's own timeout restarts with every byte. Here
 * the client has the timeout once, plus time for the bytes taken since its first delay. It may
 * never take nothing for longer than the timeout. For an answer that lasts, that is the only rule.
 * Only the time while something waits to be written counts.
 *
 * <p>It costs nothing until a write is incomplete. One thread at a time writes; the alarm comes on
 * the I/O thread, hence the lock.
 */
final class WatchedSink extends AbstractStreamSinkConduit<StreamSinkConduit> {
  private final HttpServerExchange exchange;
  private final long timeout;
  private final boolean isLasting;
  private final LongAdder cuts;
  private @Nullable Alarm alarm;
  private boolean isWaiting;
  private long waitingSince;
  private long waited;
  private long taken;
  private long takenAt;

  private WatchedSink(
      StreamSinkConduit next,
      HttpServerExchange exchange,
      Duration timeout,
      boolean isLasting,
      LongAdder cuts) {
    super(next);
    this.exchange = exchange;
    this.timeout = timeout.toNanos();
    this.isLasting = isLasting;
    this.cuts = cuts;
  }

  static WatchedSink of(
      StreamSinkConduit next, HttpServerExchange exchange, Duration timeout, LongAdder cuts) {
    return new WatchedSink(next, exchange, timeout, /* isLasting= */ false, cuts);
  }

  /** A sink for an answer that may be read slowly, as long as it is read. */
  static WatchedSink lasting(
      StreamSinkConduit next, HttpServerExchange exchange, Duration timeout, LongAdder cuts) {
    return new WatchedSink(next, exchange, timeout, /* isLasting= */ true, cuts);
  }

  private long progress(long count, boolean isShort) {
    if (isShort || alarm != null) {
      note(count, isShort);
    }
    return count;
  }

  private void note(long count, boolean isShort) {
    Alarm running = alarm;
    if (running == null) {
      // Bytes that the socket accepted until now do not count as a delay.
      Alarm first = new Alarm(exchange.getIoThread(), this::left, this::cut);
      exchange.addExchangeCompleteListener((ended, next) -> end(first, next));
      alarm = first;
      running = first;
      count = 0;
    }
    if (noted(count, isShort)) {
      running.set();
    }
  }

  private synchronized boolean noted(long count, boolean isShort) {
    long now = System.nanoTime();
    if (isWaiting && !isShort) {
      waited += now - waitingSince;
    }
    if (isShort && !isWaiting) {
      waitingSince = now;
      takenAt = now;
    }
    if (count > 0) {
      taken += count;
      takenAt = now;
    }
    isWaiting = isShort;
    return isShort;
  }

  private synchronized long left() {
    if (!isWaiting) {
      return Alarm.NEVER;
    }
    long now = System.nanoTime();
    long untaken = timeout - (now - takenAt);
    if (isLasting) {
      return untaken;
    }
    long inAll = timeout + Bounds.nanosFor(taken) - waited - (now - waitingSince);
    return Math.min(inAll, untaken);
  }

  private void cut() {
    cuts.increment();
    IoUtils.safeClose(exchange.getConnection());
  }

  private static void end(Alarm alarm, NextListener next) {
    alarm.cancel();
    next.proceed();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) progress(super.write(source), source.hasRemaining());
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long count = super.write(sources, offset, length);
    return progress(count, Buffers.hasRemaining(sources, offset, length));
  }

  @Override
  public int writeFinal(ByteBuffer source) throws IOException {
    return (int) progress(super.writeFinal(source), source.hasRemaining());
  }

  @Override
  public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
    long count = super.writeFinal(sources, offset, length);
    return progress(count, Buffers.hasRemaining(sources, offset, length));
  }

  @Override
  public long transferFrom(FileChannel source, long position, long count) throws IOException {
    long moved = super.transferFrom(source, position, count);
    return progress(moved, moved < count);
  }

  @Override
  public long transferFrom(StreamSourceChannel source, long count, ByteBuffer through)
      throws IOException {
    long moved = super.transferFrom(source, count, through);
    return progress(moved, through.hasRemaining());
  }

  @Override
  public boolean flush() throws IOException {
    boolean isFlushed = super.flush();
    progress(0, !isFlushed);
    return isFlushed;
  }
}
