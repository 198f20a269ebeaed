package org.svcmailbox.undertow.framing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.xnio.conduits.StreamSourceConduit;

/** The reading side of an HTTP/2 connection, below Undertow. It passes on what is acceptable. */
final class Http2Source extends CheckedSource {
  private static final int BUFFER = 16 << 10;

  private final Http2Frames frames = new Http2Frames();
  private IntConsumer end = error -> {};
  private ByteBuffer ready = ByteBuffer.allocate(0);
  private boolean isEnded;

  /**
   * @param begun the bytes that the connection has brought so far
   */
  Http2Source(StreamSourceConduit next, ByteBuffer begun) {
    super(next);
    accept(begun);
  }

  /** Calls {@code end} once, with the HTTP/2 error, if the connection must end. */
  void endBy(IntConsumer end) {
    this.end = end;
  }

  private void accept(ByteBuffer received) {
    ready = ByteBuffer.wrap(frames.accept(received, System.nanoTime()));
    if (frames.error() != 0) {
      isEnded = true;
      // Not while Undertow reads.
      getReadThread().execute(() -> end.accept(frames.error()));
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    while (!ready.hasRemaining()) {
      ByteBuffer received = ByteBuffer.allocate(BUFFER);
      int count = next.read(received);
      if (count <= 0 || isEnded) {
        // Bytes after the end are read and discarded, because Undertow closes a source that makes
        // no progress.
        return Math.min(count, 0);
      }
      accept(received.flip());
    }
    int moved = Math.min(ready.remaining(), target.remaining());
    target.put(ready.slice().limit(moved));
    ready.position(ready.position() + moved);
    if (ready.hasRemaining() && isReadResumed()) {
      // The rest triggers no event of its own.
      super.wakeupReads();
    }
    return moved;
  }

  @Override
  public void resumeReads() {
    if (ready.hasRemaining()) {
      super.wakeupReads();
    } else {
      super.resumeReads();
    }
  }
}
