package org.svcmailbox.undertow.disconnect;

import io.undertow.server.ConduitWrapper;
import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.ConduitFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.svcmailbox.undertow.disconnect.SourceProbe.Finding;
import org.svcmailbox.undertow.stream.LastingAnswer;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Watches the client of one HTTP/1.1 request, from the moment the request waits until its answer
 * begins, or until the answer ends if it {@linkplain LastingAnswer lasts}.
 *
 * <p>While a request is being served, Undertow does not read from its connection, so it notices a
 * disconnected client at a write at best. This watch does read. It finds either the end of the
 * stream, which means that the client is gone, or the beginning of an early next request. In that
 * case it puts the bytes back for Undertow and ends, because it cannot see beyond them. A client
 * that closes only its sending half counts as gone, as it does for most proxies.
 *
 * <p>The watch reads on the connection's I/O thread and under the lock. Any thread may begin or end
 * the answer, but only after it has taken the lock and ended the watch. The lock is held for one
 * read that does not block, and never while the disconnect is reported.
 */
final class PeerWatch implements ConduitWrapper<StreamSinkConduit> {
  private static final Logger LOG = System.getLogger(PeerWatch.class.getName());

  private enum State {
    IDLE,
    WATCHING,
    OVER
  }

  private final HttpServerExchange exchange;
  private final SourceProbe probe;
  private State state = State.IDLE;

  private PeerWatch(HttpServerExchange exchange, HttpServerConnection connection) {
    this.exchange = exchange;
    this.probe = new SourceProbe(connection);
  }

  /** Creates a watch that has not begun. Call it before anybody can answer. */
  static PeerWatch on(HttpServerExchange exchange, HttpServerConnection connection) {
    PeerWatch watch = new PeerWatch(exchange, connection);
    exchange.addResponseWrapper(watch);
    return watch;
  }

  /**
   * Starts to watch, unless the answer has already begun.
   *
   * @param gone completed when the client is gone; its callbacks run on an I/O thread
   */
  void begin(CompletableFuture<?> gone) {
    try {
      exchange.getIoThread().execute(() -> watch(gone));
    } catch (RejectedExecutionException e) {
      // The server is stopping, and its connections end with it.
      LOG.log(Level.DEBUG, "A waiting client is not watched: {0}", e.getMessage());
    }
  }

  private synchronized void watch(CompletableFuture<?> gone) {
    // While a request's body is still arriving, the bytes belong to the body.
    if (state == State.IDLE && exchange.isRequestComplete() && probe.start(() -> readable(gone))) {
      state = State.WATCHING;
    }
  }

  private void readable(CompletableFuture<?> gone) {
    if (look() == Finding.END) {
      gone.complete(null);
    }
  }

  private synchronized Finding look() {
    if (state != State.WATCHING) {
      return Finding.NOTHING;
    }
    Finding finding = probe.read();
    if (finding != Finding.NOTHING) {
      end();
    }
    return finding;
  }

  private synchronized void end() {
    if (state == State.WATCHING) {
      probe.stop();
    }
    state = State.OVER;
  }

  /** The answer begins: Undertow asks for this wrapper before the first byte. */
  @Override
  public StreamSinkConduit wrap(
      ConduitFactory<StreamSinkConduit> factory, HttpServerExchange answered) {
    if (LastingAnswer.is(answered)) {
      answered.addExchangeCompleteListener(this::answered);
    } else {
      end();
    }
    return factory.create();
  }

  /** Called when the answer has ended; Undertow reads the next request after this. */
  private void answered(HttpServerExchange ended, NextListener following) {
    end();
    following.proceed();
  }
}
