package org.svcmailbox.web.delivery;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of EXTEND, and one element of its batch. */
record ExtendRequest(@Nullable String msgId, @Nullable String receipt, @Nullable Long visibilityMs)
    implements JsonRequest {

  /** As {@link ExtendFields#checked}. */
  Extend checked(Visibility bounds) {
    return new ExtendFields(msgId, receipt, visibilityMs).checked(bounds);
  }
}
