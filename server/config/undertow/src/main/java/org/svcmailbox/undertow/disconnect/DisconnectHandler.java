package org.svcmailbox.undertow.disconnect;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.servlet.handlers.ServletRequestContext;
import io.undertow.servlet.spec.HttpServletRequestImpl;
import jakarta.servlet.DispatcherType;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.undertow.stream.LastingAnswer;

/**
 * Watches the clients of asynchronous requests that carry a future in the attribute {@value
 * #ATTRIBUTE}, and completes the future when the client is gone.
 *
 * <p>HTTP/1.1 only. Undertow reports a reset HTTP/2 stream at the next write, and has no listener
 * that a request could remove when it is done.
 */
final class DisconnectHandler implements HttpHandler {
  static final String ATTRIBUTE = "org.svcmailbox.disconnected";

  private final HttpHandler next;

  DisconnectHandler(HttpHandler next) {
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    ServletRequestContext context = exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
    if (context.getDispatcherType() == DispatcherType.REQUEST
        && exchange.getConnection() instanceof HttpServerConnection connection) {
      handleWatched(exchange, PeerWatch.on(exchange, connection), context);
    } else {
      next.handleRequest(exchange);
      LastingAnswer.begin(exchange);
    }
  }

  private void handleWatched(
      HttpServerExchange exchange, PeerWatch watch, ServletRequestContext context)
      throws Exception {
    next.handleRequest(exchange);
    LastingAnswer.begin(exchange);
    HttpServletRequestImpl request = context.getOriginalRequest();
    if (request.isAsyncStarted()
        && (!exchange.isResponseStarted() || LastingAnswer.is(exchange))
        && request.getAttribute(ATTRIBUTE) instanceof CompletableFuture<?> gone) {
      watch.begin(gone);
    }
  }
}
