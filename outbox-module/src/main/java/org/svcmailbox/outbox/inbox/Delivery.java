package org.svcmailbox.outbox.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.TraceContext;

/**
 * A message that a consumer holds.
 *
 * @param msgId its id in the service
 * @param receipt the handle of this delivery
 * @param attempt the number of this delivery, from 1
 * @param lane messages of one lane are handled in order
 * @param attributes all of them, unmodifiable
 * @param body the text; null if it is not UTF-8
 * @param trace the trace that the message belongs to
 */
public record Delivery(
    String msgId,
    String receipt,
    int attempt,
    int lane,
    Map<String, String> attributes,
    @Nullable String body,
    @Nullable TraceContext trace) {
  public Delivery {
    attributes = Map.copyOf(attributes);
  }

  /** A message that belongs to no trace. */
  public Delivery(
      String msgId,
      String receipt,
      int attempt,
      int lane,
      Map<String, String> attributes,
      @Nullable String body) {
    this(msgId, receipt, attempt, lane, attributes, body, null);
  }
}
