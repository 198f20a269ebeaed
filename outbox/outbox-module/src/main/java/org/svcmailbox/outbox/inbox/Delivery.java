package org.svcmailbox.outbox.inbox;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.EventAttributes;
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
 * @param defect how it differs from the sent message; null if it is intact
 */
public record Delivery(
    String msgId,
    String receipt,
    int attempt,
    int lane,
    Map<String, String> attributes,
    @Nullable String body,
    @Nullable TraceContext trace,
    @Nullable String defect) {
  private static final Pattern ID = Pattern.compile("[0-9A-Fa-f-]{36}");

  public Delivery {
    attributes = Map.copyOf(attributes);
  }

  /** Its ids, for logs. Anyone can send attributes, so only what looks like an id is shown. */
  String ids() {
    return msgId
        + " (event "
        + id(EventAttributes.MESSAGE_ID)
        + ", correlation "
        + id(EventAttributes.CORRELATION_ID)
        + ", causation "
        + id(EventAttributes.CAUSATION_ID)
        + ")";
  }

  private @Nullable String id(String attribute) {
    String value = attributes.get(attribute);
    return value != null && ID.matcher(value).matches() ? value : null;
  }

  /** A message as it was sent, which belongs to no trace. */
  public Delivery(
      String msgId,
      String receipt,
      int attempt,
      int lane,
      Map<String, String> attributes,
      @Nullable String body) {
    this(msgId, receipt, attempt, lane, attributes, body, null, null);
  }
}
