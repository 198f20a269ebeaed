package org.svcmailbox.undertow.sent;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.ServerConnection;
import io.undertow.util.AttachmentKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * A response that is being sent. It is sent when a flush succeeds after its last byte, because then
 * no layer below, including TLS, holds any of it. Usually that flush ends the exchange before it
 * returns. An exchange that ends outside a flush has ended early.
 */
final class SentSink extends AbstractStreamSinkConduit<StreamSinkConduit> {
  private static final AttachmentKey<Latest> LATEST = AttachmentKey.create(Latest.class);

  private final CompletableFuture<Boolean> sent;
  private boolean isEnded;
  private boolean isFlushing;

  SentSink(StreamSinkConduit next, HttpServerExchange exchange, CompletableFuture<Boolean> sent) {
    super(next);
    this.sent = sent;
    exchange.addExchangeCompleteListener(
        (ended, following) -> {
          sent.complete(isFlushing);
          following.proceed();
        });
    latest(exchange.getConnection()).sent = sent;
  }

  /**
   * One listener serves all exchanges, because a connection keeps its listeners as long as it
   * lives.
   */
  private static Latest latest(ServerConnection connection) {
    Latest known = connection.getAttachment(LATEST);
    if (known != null) {
      return known;
    }
    Latest first = new Latest();
    connection.putAttachment(LATEST, first);
    connection.addCloseListener(first);
    return first;
  }

  private static final class Latest implements ServerConnection.CloseListener {
    private volatile @Nullable CompletableFuture<Boolean> sent;

    @Override
    public void closed(ServerConnection connection) {
      CompletableFuture<Boolean> unsettled = sent;
      if (unsettled != null) {
        unsettled.complete(false);
      }
    }
  }

  @Override
  public int writeFinal(ByteBuffer source) throws IOException {
    int count = super.writeFinal(source);
    isEnded |= !source.hasRemaining();
    return count;
  }

  @Override
  public long writeFinal(ByteBuffer[] sources, int offset, int length) throws IOException {
    long count = super.writeFinal(sources, offset, length);
    isEnded |= !Buffers.hasRemaining(sources, offset, length);
    return count;
  }

  @Override
  public void terminateWrites() throws IOException {
    isEnded = true;
    super.terminateWrites();
  }

  @Override
  public boolean flush() throws IOException {
    isFlushing = true;
    try {
      boolean isFlushed = super.flush();
      if (isFlushed && isEnded) {
        sent.complete(true);
      }
      return isFlushed;
    } finally {
      isFlushing = false;
    }
  }
}
