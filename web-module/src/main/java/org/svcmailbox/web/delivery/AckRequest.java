package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of ACK, and one element of its batch. */
record AckRequest(@Nullable String msgId, @Nullable String receipt) implements JsonRequest {

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  Ack checked() {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    return checks.end(() -> new Ack(requireNonNull(id), held));
  }
}
