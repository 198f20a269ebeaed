package org.svcmailbox.undertow.framing;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Protocols;
import org.jspecify.annotations.Nullable;

/** The fault of an HTTP/2 head, told by the request that replaces it. */
public final class RefusedHead {
  /** The head was too large. */
  public static final String LARGE = "431";

  /** The head was malformed or ambiguous. */
  public static final String MALFORMED = "400";

  private RefusedHead() {}

  /** One of these; null for a request that came unchanged. */
  public static @Nullable String of(HttpServerExchange exchange) {
    return exchange.getProtocol().equals(Protocols.HTTP_2_0)
        ? exchange.getRequestHeaders().getFirst(Http2Head.REFUSED)
        : null;
  }
}
