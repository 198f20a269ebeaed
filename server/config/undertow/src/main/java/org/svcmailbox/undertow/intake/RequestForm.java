package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.util.Headers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Finds requests that no part of the server can read, before any part tries and fails. */
final class RequestForm {
  private static final Logger LOG = System.getLogger(RequestForm.class.getName());

  private RequestForm() {}

  /** Null for a request that can be read. */
  static @Nullable IntakeRefusal refusal(HttpServerExchange exchange) {
    if (!RequestTarget.isGood(exchange)) {
      return IntakeRefusal.TARGET;
    }
    return hasGoodCookies(exchange) ? null : IntakeRefusal.COOKIE;
  }

  private static boolean hasGoodCookies(HttpServerExchange exchange) {
    if (exchange.getRequestHeaders().contains(Headers.COOKIE)) {
      try {
        // Parses them now and keeps the result.
        Iterable<Cookie> unused = exchange.requestCookies();
      } catch (RuntimeException e) {
        LOG.log(Level.DEBUG, "Cookies are refused: {0}", e.toString());
        return false;
      }
    }
    return true;
  }
}
