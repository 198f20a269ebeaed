package org.svcmailbox.undertow.log;

import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.api.ThreadSetupHandler;
import io.undertow.servlet.handlers.ServletRequestContext;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Puts the request's correlation id into the log context of each thread that works for it, from the
 * first one to the one that writes the answer. The object in the context finds the id when a line
 * is written, because most requests write none.
 */
final class LogContext implements ThreadSetupHandler {
  /** The name of the id in log patterns. */
  static final String KEY = "corr_id";

  /** The attribute in which the application leaves the id, as any object with that text. */
  static final String ATTRIBUTE = "org.svcmailbox.corr_id";

  @Override
  public <T, C> Action<T, C> create(Action<T, C> action) {
    return (exchange, context) ->
        exchange == null
            ? action.call(exchange, context)
            : within(exchange, () -> action.call(exchange, context));
  }

  private interface Work<T> {
    T run() throws Exception;
  }

  private static <T> T within(HttpServerExchange exchange, Work<T> work) throws Exception {
    Object before = MDC.put(KEY, new Id(exchange));
    try {
      return work.run();
    } finally {
      restore(before);
    }
  }

  private static void restore(@Nullable Object before) {
    if (before != null) {
      MDC.put(KEY, before);
    } else {
      MDC.remove(KEY);
    }
  }

  private record Id(HttpServerExchange exchange) {
    @Override
    public String toString() {
      ServletRequestContext context = exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
      Object id = context != null ? context.getServletRequest().getAttribute(ATTRIBUTE) : null;
      return id != null ? id.toString() : "";
    }
  }
}
