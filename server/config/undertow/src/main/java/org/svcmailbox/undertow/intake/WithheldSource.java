package org.svcmailbox.undertow.intake;

import io.undertow.server.ConduitWrapper;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.ConduitFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * A request's body whose rest can be withheld from the application. To the application a withheld
 * body is at its end. Otherwise a servlet's stream would wait on the request's thread for the rest,
 * only to discard it. Undertow discards it on the I/O thread instead: from when the stream is
 * closed, or at once if no servlet was called.
 */
final class WithheldSource implements ConduitWrapper<StreamSourceConduit> {
  private enum State {
    OPEN,
    WITHHELD,
    DRAINING
  }

  private final Runnable draining;
  private final Runnable arrived;
  private volatile State state = State.OPEN;

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

    private boolean isAtEnd() {
      if (state == State.WITHHELD && Thread.currentThread() == getReadThread()) {
        drain();
      }
      return state == State.WITHHELD;
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
      return isAtEnd() ? -1 : (int) counted(super.read(target));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
      return isAtEnd() ? -1 : counted(super.read(targets, offset, length));
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) throws IOException {
      return isAtEnd() ? -1 : counted(super.transferTo(position, count, target));
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target)
        throws IOException {
      return isAtEnd() ? -1 : counted(super.transferTo(count, through, target));
    }

    @Override
    public void awaitReadable() throws IOException {
      if (state != State.WITHHELD) {
        super.awaitReadable();
      }
    }

    @Override
    public void awaitReadable(long time, TimeUnit unit) throws IOException {
      if (state != State.WITHHELD) {
        super.awaitReadable(time, unit);
      }
    }

    @Override
    public void terminateReads() throws IOException {
      if (state == State.WITHHELD) {
        drain();
      } else {
        super.terminateReads();
      }
    }
  }
}
