package org.svcmailbox.web.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.request.BatchElements;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of NACK for a batch. */
record NackBatchRequest(@Nullable List<@Nullable NackFields> nacks) implements JsonRequest {

  /**
   * Converts to core types, in order.
   *
   * @param max elements
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  List<SettleRequest> checked(int max) {
    return BatchElements.checked("nacks", nacks, max, NackFields::checked);
  }
}
