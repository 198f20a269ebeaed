package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of EXTEND, and one element of its batch. */
record ExtendRequest(@Nullable String msgId, @Nullable String receipt, @Nullable Long visibilityMs)
    implements JsonRequest {

  /**
   * Converts to core types.
   *
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  Extend checked(Visibility bounds) {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    Duration visibility =
        checks.required(
            "visibility_ms", visibilityMs, millis -> FieldRanges.visibility(millis, bounds));
    return checks.end(() -> new Extend(requireNonNull(id), held, requireNonNull(visibility)));
  }
}
