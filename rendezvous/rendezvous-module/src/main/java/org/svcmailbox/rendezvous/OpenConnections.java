package org.svcmailbox.rendezvous;

import jakarta.servlet.ServletContext;
import java.util.Map;
import java.util.function.LongSupplier;

/** The number of open connections of the listener. */
final class OpenConnections {
  /** The context attribute with the listener's counters by name. */
  static final String COUNTS = "org.svcmailbox.intake";

  private OpenConnections() {}

  /** Returns the counter; always zero where the server has none. */
  static LongSupplier of(ServletContext context) {
    return context.getAttribute(COUNTS) instanceof Map<?, ?> counts
            && counts.get("connections") instanceof LongSupplier open
        ? open
        : () -> 0;
  }
}
