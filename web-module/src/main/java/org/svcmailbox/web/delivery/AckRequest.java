package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The body of ACK, and one element of a batch's. */
record AckRequest(@Nullable String msgId, @Nullable String receipt) implements JsonRequest {

  /**
   * The same in core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every field that is refused
   */
  Ack checked() {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    return checks.end(() -> new Ack(requireNonNull(id), held));
  }
}
