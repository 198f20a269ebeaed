package org.svcmailbox.undertow.disconnect;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.xnio.Options;
import org.xnio.conduits.StreamSourceConduit;

/**
 * The reading side of one HTTP/1.1 connection while nothing else reads from it. Started and read in
 * the connection's I/O thread; the caller sees to it that no two methods run at once.
 */
final class SourceProbe {
  /** The result of a read. */
  enum Finding {
    /** Neither bytes nor an end. */
    NOTHING,
    /** The beginning of a next request, which has been put back. */
    NEXT_REQUEST,
    /** The end of the stream, orderly or not. */
    END
  }

  private final HttpServerConnection connection;
  // The request's own conduit is at the end of its body; the connection's is beneath it.
  private final StreamSourceConduit source;
  private @Nullable Integer readTimeout;

  SourceProbe(HttpServerConnection connection) {
    this.connection = connection;
    this.source = connection.getOriginalSourceConduit();
  }

  /**
   * Has a listener called whenever there is something to read.
   *
   * @return whether there is anything to watch: not so when a next request is waiting already
   */
  boolean start(Runnable listener) {
    if (connection.getExtraBytes() != null) {
      return false;
    }
    // A client that waits for its answer is silent by right: the timeout is for requests.
    readTimeout = setReadTimeout(0);
    source.suspendReads();
    connection.getChannel().getSourceChannel().setReadListener(channel -> listener.run());
    source.resumeReads();
    return true;
  }

  /** Reads once, without blocking. */
  Finding read() {
    PooledByteBuffer pooled = connection.getByteBufferPool().allocate();
    boolean isPutBack = false;
    try {
      ByteBuffer buffer = pooled.getBuffer();
      int count = source.read(buffer);
      if (count > 0) {
        buffer.flip();
        connection.ungetRequestBytes(pooled);
        isPutBack = true;
        return Finding.NEXT_REQUEST;
      }
      return count == 0 ? Finding.NOTHING : Finding.END;
    } catch (IOException e) {
      // A reset: however the connection ended, it has.
      return Finding.END;
    } finally {
      if (!isPutBack) {
        pooled.close();
      }
    }
  }

  /** Leaves the connection as it was found. */
  void stop() {
    source.suspendReads();
    if (readTimeout != null) {
      setReadTimeout(readTimeout);
    }
  }

  private @Nullable Integer setReadTimeout(int millis) {
    try {
      return connection.setOption(Options.READ_TIMEOUT, millis);
    } catch (ClosedChannelException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("read timeout", e);
    }
  }
}
