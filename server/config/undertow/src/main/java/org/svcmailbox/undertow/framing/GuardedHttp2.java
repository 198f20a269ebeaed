package org.svcmailbox.undertow.framing;

import static io.undertow.protocols.http2.Http2Channel.ERROR_ENHANCE_YOUR_CALM;

import io.undertow.UndertowOptions;
import io.undertow.conduits.ReadTimeoutStreamSourceConduit;
import io.undertow.conduits.WriteTimeoutStreamSinkConduit;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.server.ConnectorStatistics;
import io.undertow.server.DelegateOpenListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.OpenListener;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.server.protocol.http2.Http2ReceiveListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.undertow.stream.Http2Pings;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;

/**
 * Opens HTTP/2 connections as Undertow's {@link Http2OpenListener} does, with an {@link
 * Http2Source} below each of them. The source needs the channel to end it in an orderly way.
 */
final class GuardedHttp2 implements DelegateOpenListener {
  /** The most streams that a client may have open at the same time. */
  static final int MOST_STREAMS = 128;

  private static final Logger LOG = System.getLogger(GuardedHttp2.class.getName());
  private static final int WEIGHT = 10;

  private final ByteBufferPool pool;
  private final int bufferSize;
  private final Set<Http2Channel> channels = ConcurrentHashMap.newKeySet();
  private volatile HttpHandler rootHandler;
  private volatile OptionMap options;

  private GuardedHttp2(OpenListener open) {
    this.pool = open.getBufferPool();
    try (PooledByteBuffer buffer = pool.allocate()) {
      this.bufferSize = buffer.getBuffer().remaining();
    }
    this.rootHandler = open.getRootHandler();
    this.options = bounded(open.getUndertowOptions());
  }

  /** Replaces Undertow's own listener if HTTP/2 is enabled. */
  static void guard(OpenListener open) {
    if (open instanceof AlpnOpenListener alpn
        && alpn.getUndertowOptions().get(UndertowOptions.ENABLE_HTTP2, false)) {
      GuardedHttp2 guarded = new GuardedHttp2(open);
      alpn.addProtocol(Http2OpenListener.HTTP2, guarded, WEIGHT);
      // The name of a draft from 2014, which WildFly still offers.
      alpn.addProtocol("h2-14", guarded, 0);
    }
  }

  private static OptionMap bounded(OptionMap options) {
    return OptionMap.builder()
        .addAll(options)
        .set(UndertowOptions.HTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOST_STREAMS)
        .set(UndertowOptions.HTTP2_SETTINGS_MAX_FRAME_SIZE, Http2Frames.MOST_PAYLOAD)
        .set(UndertowOptions.MAX_HEADERS, Http2Head.MOST_NAMES)
        .set(UndertowOptions.MAX_RST_FRAMES_PER_WINDOW, Http2Frames.MOST_RESETS)
        .getMap();
  }

  @Override
  public void handleEvent(StreamConnection connection, @Nullable PooledByteBuffer additional) {
    ByteBuffer begun = begun(connection, additional);
    Http2Source source = new Http2Source(connection.getSourceChannel().getConduit(), begun);
    connection.getSourceChannel().setConduit(source);
    Http2Channel channel =
        new Http2Channel(connection, Http2OpenListener.HTTP2, pool, null, false, false, options);
    source.endBy(error -> end(channel, error));
    setTimeouts(connection, channel);
    Http2Pings.allow(channel);
    channels.add(channel);
    channel.addCloseTask(channels::remove);
    channel
        .getReceiveSetter()
        .set(new Http2ReceiveListener(rootHandler, options, bufferSize, null));
    channel.resumeReceives();
  }

  private static ByteBuffer begun(
      StreamConnection connection, @Nullable PooledByteBuffer additional) {
    byte[] held = FramingSource.letGo(connection);
    if (additional == null) {
      return ByteBuffer.wrap(held);
    }
    try (additional) {
      ByteBuffer first = additional.getBuffer();
      return ByteBuffer.allocate(first.remaining() + held.length).put(first).put(held).flip();
    }
  }

  private static void end(Http2Channel channel, int error) {
    if (error == ERROR_ENHANCE_YOUR_CALM) {
      Refusals.HTTP2_FLOOD.increment();
    }
    channel.sendGoAway(error);
  }

  private void setTimeouts(StreamConnection connection, Http2Channel channel) {
    int idle = options.get(UndertowOptions.IDLE_TIMEOUT, 0);
    if (idle > 0) {
      channel.setIdleTimeout(idle);
    }
    try {
      if (isSet(connection.getOption(Options.READ_TIMEOUT))) {
        ConduitStreamSourceChannel in = connection.getSourceChannel();
        in.setConduit(new ReadTimeoutStreamSourceConduit(in.getConduit(), connection, this));
      }
      if (isSet(connection.getOption(Options.WRITE_TIMEOUT))) {
        ConduitStreamSinkChannel out = connection.getSinkChannel();
        out.setConduit(new WriteTimeoutStreamSinkConduit(out.getConduit(), connection, this));
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection ends early: {0}", e.getMessage());
      IoUtils.safeClose(channel);
    }
  }

  private static boolean isSet(@Nullable Integer timeout) {
    return timeout != null && timeout > 0;
  }

  @Override
  public void handleEvent(StreamConnection connection) {
    handleEvent(connection, null);
  }

  @Override
  public HttpHandler getRootHandler() {
    return rootHandler;
  }

  @Override
  public void setRootHandler(HttpHandler handler) {
    rootHandler = handler;
  }

  @Override
  public OptionMap getUndertowOptions() {
    return options;
  }

  @Override
  public void setUndertowOptions(OptionMap changed) {
    options = bounded(changed);
  }

  @Override
  public ByteBufferPool getBufferPool() {
    return pool;
  }

  @Override
  public @Nullable ConnectorStatistics getConnectorStatistics() {
    return null;
  }

  @Override
  public void closeConnections() {
    channels.forEach(IoUtils::safeClose);
  }
}
