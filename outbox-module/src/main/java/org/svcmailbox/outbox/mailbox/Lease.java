package org.svcmailbox.outbox.mailbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.svcmailbox.outbox.inbox.Delivery;

/**
 * A message that is held.
 *
 * @param msgId its id
 * @param receipt the handle of this delivery
 * @param end when it is no longer kept, in nanoseconds of the consumer's clock
 */
record Lease(String msgId, String receipt, long end) {
  static Lease of(Delivery delivery, long end) {
    return new Lease(delivery.msgId(), delivery.receipt(), end);
  }

  /** The element of a batch that settles or extends it. */
  ObjectNode json() {
    return JsonNodeFactory.instance.objectNode().put("msg_id", msgId).put("receipt", receipt);
  }
}
