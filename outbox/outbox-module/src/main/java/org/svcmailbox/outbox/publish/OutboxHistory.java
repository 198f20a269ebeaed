package org.svcmailbox.outbox.publish;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;

/**
 * The published events of a span of time, in the order of their publishing. One thread reads it.
 */
@FunctionalInterface
public interface OutboxHistory {
  /**
   * A published event.
   *
   * @param event its row
   * @param trace the trace that it belongs to
   */
  record Past(OutboxEvent event, @Nullable TraceContext trace) {}

  /**
   * Reads the next events.
   *
   * @return at most 1,000 events with at most 8 MiB of payload, or one larger event; none at the
   *     end
   * @throws OutboxStoreException if the database is away; the next call reads the same events
   */
  List<Past> next();
}
