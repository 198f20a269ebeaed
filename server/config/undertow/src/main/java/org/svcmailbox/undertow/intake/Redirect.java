package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;

/**
 * Redirects a client that requested a deployment without its last slash. The location is a path
 * only, because Undertow's own redirect would contain the host that the client named.
 *
 * @param next serves all other requests
 */
record Redirect(HttpHandler next) implements HttpHandler {
  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    String deployment = exchange.getResolvedPath();
    if (!exchange.getRelativePath().isEmpty() || deployment.isEmpty()) {
      next.handleRequest(exchange);
      return;
    }
    String query = exchange.getQueryString();
    String location = deployment + "/" + (query.isEmpty() ? "" : "?" + query);
    exchange.setStatusCode(StatusCodes.FOUND);
    exchange.getResponseHeaders().put(Headers.LOCATION, location);
    exchange.endExchange();
  }
}
