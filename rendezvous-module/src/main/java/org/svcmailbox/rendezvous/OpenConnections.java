package org.svcmailbox.rendezvous;

import jakarta.servlet.ServletContext;
import java.util.Map;
import java.util.function.LongSupplier;

/** How many connections the door's listener serves, as far as the server reports that. */
final class OpenConnections {
  /** The context's attribute: what clients hold of the listener, by name. */
  static final String COUNTS = "org.svcmailbox.intake";

  private OpenConnections() {}

  /** The count of a context's server; always zero where the server does not report. */
  static LongSupplier of(ServletContext context) {
    return context.getAttribute(COUNTS) instanceof Map<?, ?> counts
            && counts.get("connections") instanceof LongSupplier open
        ? open
        : () -> 0;
  }
}
