package org.svcmailbox.undertow.threads;

import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import org.xnio.IoUtils;

/**
 * Ends each request on the I/O thread of its connection. If another thread ends it, Undertow has
 * that thread prepare the connection for the next request and meanwhile wake the I/O thread. On few
 * processors, the woken thread displaces the other one and spins until it can continue, which took
 * a tenth of all time.
 */
final class EndInIoThread implements HttpHandler {
  private static final Logger LOG = System.getLogger(EndInIoThread.class.getName());

  private static final ExchangeCompletionListener HAND_OVER =
      (exchange, next) -> {
        if (exchange.isInIoThread()) {
          next.proceed();
        } else {
          handOver(exchange, next);
        }
      };

  private final HttpHandler next;

  EndInIoThread(HttpHandler next) {
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    exchange.addExchangeCompleteListener(HAND_OVER);
    next.handleRequest(exchange);
  }

  private static void handOver(
      HttpServerExchange exchange, ExchangeCompletionListener.NextListener next) {
    try {
      exchange.getIoThread().execute(() -> end(exchange, next));
    } catch (RejectedExecutionException e) {
      end(exchange, next);
    }
  }

  private static void end(
      HttpServerExchange exchange, ExchangeCompletionListener.NextListener next) {
    try {
      next.proceed();
    } catch (RejectedExecutionException e) {
      // The server is stopping, so nobody waits for a next request.
      LOG.log(Level.DEBUG, "A connection ends with the server: {0}", e.getMessage());
      IoUtils.safeClose(exchange.getConnection());
    }
  }
}
