package org.svcmailbox.undertow.stream;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.server.protocol.http2.Http2ServerConnection;
import io.undertow.servlet.handlers.ServletRequestContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.Options;

/**
 * An answer that lasts until the application ends it. Its request has a {@code
 * CompletableFuture<Void>} in the attribute {@value #ATTRIBUTE}. The application completes it to
 * have the connection closed, or the stream of an HTTP/2 connection reset.
 */
public final class LastingAnswer {
  static final String ATTRIBUTE = "org.svcmailbox.stream";

  /** A safety net: the application itself ends an answer of which nothing is read for 30 s. */
  public static final Duration PATIENCE = Duration.ofSeconds(40);

  /** The listener's own timeout, which equals the application's. */
  private static final Duration WRITE_TIMEOUT = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(LastingAnswer.class.getName());

  private LastingAnswer() {}

  /** Whether the answer to this request lasts; known once the answer begins. */
  public static boolean is(HttpServerExchange exchange) {
    return demand(exchange) != null;
  }

  private static @Nullable CompletableFuture<?> demand(HttpServerExchange exchange) {
    ServletRequestContext context = exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
    return context != null
            && context.getOriginalRequest().getAttribute(ATTRIBUTE)
                instanceof CompletableFuture<?> demand
        ? demand
        : null;
  }

  /** Makes the connection last as long as the answer, if the answer lasts. */
  public static void begin(HttpServerExchange exchange) {
    CompletableFuture<?> demand = demand(exchange);
    if (demand == null) {
      return;
    }
    CompletableFuture<Void> unused = demand.thenRun(() -> closeSoon(exchange));
    if (exchange.getConnection() instanceof Http2ServerConnection http2) {
      Http2Pings.begin(exchange, http2);
    } else if (exchange.getConnection() instanceof HttpServerConnection http1) {
      outlastListener(exchange, http1);
    }
  }

  private static void closeSoon(HttpServerExchange exchange) {
    exchange.getIoThread().execute(() -> close(exchange));
  }

  private static void close(HttpServerExchange exchange) {
    // The connection may be at its next request by now.
    if (!exchange.isComplete()) {
      IoUtils.safeClose(exchange.getConnection());
    }
  }

  private static void outlastListener(
      HttpServerExchange exchange, HttpServerConnection connection) {
    Integer before = writeTimeout(connection, (int) WRITE_TIMEOUT.toMillis());
    if (before != null) {
      exchange.addExchangeCompleteListener(
          (ended, next) -> {
            Integer unused = writeTimeout(connection, before);
            next.proceed();
          });
    }
  }

  private static @Nullable Integer writeTimeout(HttpServerConnection connection, int millis) {
    try {
      return connection.setOption(Options.WRITE_TIMEOUT, millis);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection keeps its write timeout: {0}", e.getMessage());
      return null;
    }
  }
}
