package org.svcmailbox.outbox.mailbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.svcmailbox.outbox.inbox.Delivery;

/**
 * A message that is held.
 *
 * @param msgId its id
 * @param receipt the handle of this delivery
 * @param until when it runs out unless it is extended, in nanoseconds of the consumer's clock
 * @param end when it is no longer extended, likewise
 */
record Lease(String msgId, String receipt, long until, long end) {
  static Lease of(Delivery delivery, long until, long end) {
    return new Lease(delivery.msgId(), delivery.receipt(), until, end);
  }

  Lease extended(long longer) {
    return new Lease(msgId, receipt, longer, end);
  }

  /** The element of a batch that settles or extends it. */
  ObjectNode json() {
    return JsonNodeFactory.instance.objectNode().put("msg_id", msgId).put("receipt", receipt);
  }
}
