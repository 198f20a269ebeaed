package org.svcmailbox.undertow.intake;

import io.undertow.server.ConduitWrapper;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.ConduitFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * A request's body whose rest can be withheld from the application. To the application a withheld
 * body is at its end. Otherwise a servlet's stream would wait on the request's thread for the rest,
 * only to discard it. Undertow discards it instead: from when the stream is closed, or at once if
 * no servlet was called. Only the I/O thread reads the rest, and nobody waits for it.
 *
 * <p>If the connection is not to carry another request, Undertow closes the source before the
 * servlet's stream, which then reads on and waits. A wait that does not take place makes the next
 * read of its thread find the end, once.
 */
final class WithheldSource implements ConduitWrapper<StreamSourceConduit> {
  private enum State {
    OPEN,
    WITHHELD,
    DRAINING
  }

  private static final int BYTES = 1;
  private static final int NOTHING = 0;
  private static final int END = -1;

  private final Runnable draining;
  private final Runnable arrived;
  private volatile State state = State.OPEN;

  /** The thread whose wait did not take place. */
  private volatile @Nullable Thread excused;

  /**
   * Withholds nothing yet.
   *
   * @param draining called once, when the rest starts to be discarded
   * @param arrived called when some of that has arrived
   */
  WithheldSource(Runnable draining, Runnable arrived) {
    this.draining = draining;
    this.arrived = arrived;
  }

  /** From now on the body is at its end. */
  void withhold() {
    state = State.WITHHELD;
  }

  @Override
  public StreamSourceConduit wrap(
      ConduitFactory<StreamSourceConduit> factory, HttpServerExchange exchange) {
    return new Source(factory.create());
  }

  private final class Source extends AbstractStreamSourceConduit<StreamSourceConduit> {
    Source(StreamSourceConduit next) {
      super(next);
    }

    /** Where the next read ends: at bytes, before some (0), or at the end (-1). */
    private int next() {
      Thread reader = Thread.currentThread();
      boolean isReadThread = reader == getReadThread();
      if (state == State.WITHHELD && isReadThread) {
        drain();
      }
      if (state == State.WITHHELD) {
        return END;
      }
      if (reader == excused) {
        excused = null;
        return END;
      }
      return state == State.OPEN || isReadThread ? BYTES : NOTHING;
    }

    private void drain() {
      state = State.DRAINING;
      draining.run();
    }

    private long counted(long count) {
      if (count > 0 && state == State.DRAINING) {
        arrived.run();
      }
      return count;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      int next = next();
      return next == BYTES ? (int) counted(super.read(target)) : next;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      int next = next();
      return next == BYTES ? counted(super.read(targets, offset, length)) : next;
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) throws IOException {
      int next = next();
      return next == BYTES ? counted(super.transferTo(position, count, target)) : next;
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
        throws IOException {
      int next = next();
      return next == BYTES ? counted(super.transferTo(count, through, target)) : next;
    }

    @Override
    public void awaitReadable() throws IOException {
      if (state == State.OPEN) {
        super.awaitReadable();
      } else {
        excused = Thread.currentThread();
      }
    }

    @Override
    public void awaitReadable(long time, TimeUnit unit) throws IOException {
      if (state == State.OPEN) {
        super.awaitReadable(time, unit);
      } else {
        excused = Thread.currentThread();
      }
    }

    /** While the rest is discarded, the source ends with it, or with the connection. */
    @Override
    public void terminateReads() throws IOException {
      if (state == State.OPEN) {
        super.terminateReads();
      } else if (state == State.WITHHELD) {
        drain();
      }
    }
  }
}
