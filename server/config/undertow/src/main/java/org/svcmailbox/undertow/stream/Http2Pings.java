package org.svcmailbox.undertow.stream;

import io.undertow.protocols.http2.Http2Channel;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http2.Http2ServerConnection;
import io.undertow.util.AttachmentKey;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioIoThread;

/**
 * Pings the client of an answer that lasts. The listener closes an HTTP/2 connection that brings
 * nothing for a minute, and a client that only reads sends nothing by itself.
 */
public final class Http2Pings implements Runnable {
  private static final AttachmentKey<Http2Channel> CHANNEL =
      AttachmentKey.create(Http2Channel.class);

  private static final long INTERVAL_SECONDS = 20;
  private static final int DATA = 8;

  private final HttpServerExchange exchange;
  private final Http2Channel channel;
  private final XnioIoThread thread;

  private Http2Pings(HttpServerExchange exchange, Http2Channel channel) {
    this.exchange = exchange;
    this.channel = channel;
    this.thread = exchange.getIoThread();
  }

  /** Makes a channel known for its connections, which do not reveal it. */
  public static void allow(Http2Channel channel) {
    Http2Channel unused = channel.putAttachment(CHANNEL, channel);
  }

  static void begin(HttpServerExchange exchange, Http2ServerConnection connection) {
    Http2Channel channel = connection.getAttachment(CHANNEL);
    if (channel != null) {
      new Http2Pings(exchange, channel).later();
    }
  }

  private void later() {
    try {
      thread.executeAfter(this, INTERVAL_SECONDS, TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      // The server is stopping, and its connections end with it.
    }
  }

  @Override
  public void run() {
    if (!exchange.isComplete() && channel.isOpen()) {
      channel.sendPing(new byte[DATA]);
      later();
    }
  }
}
