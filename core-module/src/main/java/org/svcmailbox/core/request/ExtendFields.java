package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;

/** The fields of an EXTEND as its client wrote them; absent ones are null. */
public record ExtendFields(
    @Nullable String msgId, @Nullable String receipt, @Nullable Long visibilityMs) {

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  public Extend checked(Visibility bounds) {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    Duration visibility =
        checks.required(
            "visibility_ms", visibilityMs, millis -> FieldRanges.visibility(millis, bounds));
    return checks.end(() -> new Extend(requireNonNull(id), held, requireNonNull(visibility)));
  }
}
