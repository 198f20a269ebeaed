package org.svcmailbox.web.delivery;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of NACK, and one element of its batch. */
record NackRequest(
    @Nullable String msgId,
    @Nullable String receipt,
    @Nullable String reason,
    @Nullable Long delayMs,
    @Nullable Boolean deadLetter)
    implements JsonRequest {

  /** As {@link NackFields#checked}. */
  SettleRequest checked() {
    return new NackFields(msgId, receipt, reason, delayMs, deadLetter).checked();
  }
}
