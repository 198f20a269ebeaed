package org.svcmailbox.web.delivery;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of ACK, and one element of its batch. */
record AckRequest(@Nullable String msgId, @Nullable String receipt) implements JsonRequest {

  /** As {@link AckFields#checked}. */
  Ack checked() {
    return new AckFields(msgId, receipt).checked();
  }
}
