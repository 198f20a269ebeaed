package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import jakarta.servlet.ServletContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application for the owner of a body. The application leaves two functions of a path and
 * an {@code Authorization} header in its context: the first one answers from memory, the second may
 * block. Null means that the request will be refused for its head, and an empty text means anyone.
 * Without these functions, every body is anyone's.
 */
final class BodyOwners {
  static final String KNOWN = "org.svcmailbox.body_owner_known";
  static final String FIND = "org.svcmailbox.body_owner";

  private static final Logger LOG = System.getLogger(BodyOwners.class.getName());

  /** The server's threads for requests; see the package {@code threads}. */
  private static final String THREADS = "org.svcmailbox.threads";

  private static final String ANYONE = "";
  private static final String BEARER = "Bearer ";

  private final ServletContext context;

  BodyOwners(ServletContext context) {
    this.context = context;
  }

  /** Never blocks; null if only {@link #find} can tell. */
  @Nullable String known(HttpServerExchange exchange) {
    if (context.getAttribute(KNOWN) == null || context.getAttribute(FIND) == null) {
      return ANYONE;
    }
    try {
      return ask(KNOWN, exchange);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "A body''s owner is looked for again: {0}", e.toString());
      return null;
    }
  }

  /** May block; null for a request that will be refused. */
  @Nullable String find(HttpServerExchange exchange) {
    return ask(FIND, exchange);
  }

  private @Nullable String ask(String function, HttpServerExchange exchange) {
    @SuppressWarnings("unchecked")
    BiFunction<String, @Nullable String, @Nullable String> asked =
        (BiFunction<String, @Nullable String, @Nullable String>) context.getAttribute(function);
    return asked.apply(
        exchange.getRequestPath(), exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION));
  }

  @Nullable Executor threads() {
    return context.getAttribute(THREADS) instanceof Executor threads ? threads : null;
  }

  /** Whether nothing but the sender's address is known. */
  static boolean isAnyone(String owner) {
    return owner.isEmpty();
  }

  /** The client's IPv4 address, or its IPv6 network. */
  static String network(HttpServerExchange exchange) {
    InetAddress address = exchange.getSourceAddress().getAddress();
    return address == null ? "" : Addresses.network(address);
  }

  /**
   * Removes a token that was found invalid. If this server learned of its key in between, the token
   * would become valid, and the application would read an empty body.
   */
  static void removeToken(HttpServerExchange exchange) {
    HeaderMap headers = exchange.getRequestHeaders();
    String header = headers.getFirst(Headers.AUTHORIZATION);
    if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      headers.put(Headers.AUTHORIZATION, BEARER + "-");
    }
  }
}
