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
 * The reading side of an HTTP/1.1 connection while nothing else reads from it. It is started and
 * read on the connection's I/O thread, and the caller makes sure that no two methods run at once.
 */
final class SourceProbe {
  /** The result of a read. */
  enum Finding {
    /** Neither bytes nor an end. */
    NOTHING,
    /** The beginning of the next request, which was put back. */
    NEXT_REQUEST,
    /** The end of the stream, orderly or not. */
    END
  }

  private final HttpServerConnection connection;
  // The request's own conduit is at the end of its body; the connection's conduit is below it.
  private final StreamSourceConduit source;
  private @Nullable Integer readTimeout;

  SourceProbe(HttpServerConnection connection) {
    this.connection = connection;
    this.source = connection.getOriginalSourceConduit();
  }

  /**
   * Has a listener called whenever there is something to read.
   *
   * @return whether there is anything to watch; false if the next request is already waiting
   */
  boolean start(Runnable listener) {
    if (connection.getExtraBytes() != null) {
      return false;
    }
    // A client that waits for its answer may be silent: the timeout is for requests.
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
      // A reset: the connection has ended all the same.
      return Finding.END;
    } finally {
      if (!isPutBack) {
        pooled.close();
      }
    }
  }

  /** Leaves the connection in its original state. */
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
