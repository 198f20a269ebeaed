package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Protocols;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of one HTTP/2 connection that are being served. Undertow tells clients how many
 * streams they may open but does not count them. A client's reset ends no request here, so
 * resetting makes no room for more.
 */
final class Streams {
  /** A client may open 128; it may know of an end before the server has counted it. */
  static final int MOST = 160;

  private static final AttachmentKey<AtomicInteger> SERVED =
      AttachmentKey.create(AtomicInteger.class);

  private Streams() {}

  /** Whether one more request may be served; it then counts until its exchange ends. */
  static boolean admit(HttpServerExchange exchange) {
    if (!exchange.getProtocol().equals(Protocols.HTTP_2_0)) {
      return true;
    }
    AtomicInteger served = exchange.getConnection().getAttachment(SERVED);
    if (served == null) {
      served = new AtomicInteger();
      exchange.getConnection().putAttachment(SERVED, served);
    }
    if (served.get() >= MOST) {
      return false;
    }
    AtomicInteger counted = served;
    counted.incrementAndGet();
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          counted.decrementAndGet();
          next.proceed();
        });
    return true;
  }
}
