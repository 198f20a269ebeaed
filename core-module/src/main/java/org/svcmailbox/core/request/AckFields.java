package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.FieldChecks;

/** The fields of an ACK as its client wrote them; absent ones are null. */
public record AckFields(@Nullable String msgId, @Nullable String receipt) {

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public Ack checked() {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    return checks.end(() -> new Ack(requireNonNull(id), held));
  }
}
