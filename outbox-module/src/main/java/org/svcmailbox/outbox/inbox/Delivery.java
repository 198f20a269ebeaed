package org.svcmailbox.outbox.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer holds.
 *
 * @param msgId its id in the service
 * @param receipt the handle of this delivery
 * @param attempt the number of this delivery, from 1
 * @param lane messages of one lane are handled in order
 * @param attributes all of them, unmodifiable
 * @param body the text; null if it is not UTF-8
 */
public record Delivery(
    String msgId,
    String receipt,
    int attempt,
    int lane,
    Map<String, String> attributes,
    @Nullable String body) {
  public Delivery {
    attributes = Map.copyOf(attributes);
  }
}
