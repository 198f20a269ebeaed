package org.svcmailbox.web.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.request.BatchElements;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of EXTEND for a batch. */
record ExtendBatchRequest(
    @JsonProperty("extends") @Nullable List<@Nullable ExtendFields> extensions)
    implements JsonRequest {

  /**
   * Converts to core types, in order.
   *
   * @param max elements
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  List<Extend> checked(int max, Visibility bounds) {
    return BatchElements.checked("extends", extensions, max, one -> one.checked(bounds));
  }
}
