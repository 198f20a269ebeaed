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
 * The watch over the client of one HTTP/1.1 request, from the moment the request waits until its
 * answer begins, or ends where it {@linkplain LastingAnswer lasts}.
 *
 * <p>While a request is being served, Undertow does not read from its connection. So a client that
 * hangs up is noticed at a write at best. This watch reads. The watch finds the end of the stream,
 * so the client is gone, or the beginning of an early next request. That goes back for Undertow to
 * find, and ends the watch, because nothing behind those bytes can be seen. A client that closes
 * only its sending half is taken for gone, as most proxies take it.
 *
 * <p>The watch reads in the connection's I/O thread and under the lock. The answer may begin or end
 * in any thread, but only after it has taken the lock and ended the watch. It is held for one read
 * that does not block, and never while the client's absence is told.
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

  /** A watch that has not begun; to be made before anybody can answer. */
  static PeerWatch on(HttpServerExchange exchange, HttpServerConnection connection) {
    PeerWatch watch = new PeerWatch(exchange, connection);
    exchange.addResponseWrapper(watch);
    return watch;
  }

  /**
   * Begins to watch, unless the answer begins first.
   *
   * @param gone completed when the client is gone; its callbacks run in an I/O thread
   */
  void begin(CompletableFuture<?> gone) {
    try {
      exchange.getIoThread().execute(() -> watch(gone));
    } catch (RejectedExecutionException e) {
      // The server is stopping, and with it every connection.
      LOG.log(Level.DEBUG, "A waiting client is not watched: {0}", e.getMessage());
    }
  }

  private synchronized void watch(CompletableFuture<?> gone) {
    // A request whose body has not been read to its end has other use for what arrives.
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

  /** The answer begins: Undertow asks for what to wrap around it before its first byte. */
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

  /** The answer has ended; Undertow reads the next request behind this. */
  private void answered(HttpServerExchange ended, NextListener following) {
    end();
    following.proceed();
  }
}
