package org.svcmailbox.undertow.sent;

import io.undertow.server.ConduitWrapper;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import io.undertow.util.ConduitFactory;
import jakarta.servlet.DispatcherType;
import java.util.concurrent.CompletableFuture;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Watches responses to requests that carry a future in the attribute {@value #ATTRIBUTE} when their
 * response begins. The future completes with true once the kernel has the last byte, and with false
 * if the exchange or its connection ends before.
 */
final class SentHandler implements HttpHandler, ConduitWrapper<StreamSinkConduit> {
  static final String ATTRIBUTE = "org.svcmailbox.sent";

  private final HttpHandler next;

  SentHandler(HttpHandler next) {
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    ServletRequestContext context = exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
    if (context.getDispatcherType() == DispatcherType.REQUEST) {
      exchange.addResponseWrapper(this);
    }
    next.handleRequest(exchange);
  }

  @Override
  public StreamSinkConduit wrap(
      ConduitFactory<StreamSinkConduit> factory, HttpServerExchange exchange) {
    StreamSinkConduit sink = factory.create();
    ServletRequestContext context = exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
    Object attribute = context.getOriginalRequest().getAttribute(ATTRIBUTE);
    if (!(attribute instanceof CompletableFuture<?>)) {
      return sink;
    }
    @SuppressWarnings("unchecked")
    CompletableFuture<Boolean> sent = (CompletableFuture<Boolean>) attribute;
    return new SentSink(sink, exchange, sent);
  }
}
