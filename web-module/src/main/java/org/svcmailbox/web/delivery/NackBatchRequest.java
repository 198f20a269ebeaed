package org.svcmailbox.web.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.web.json.JsonRequest;

/** The body of NACK for many messages. */
record NackBatchRequest(@Nullable List<@Nullable NackRequest> nacks) implements JsonRequest {

  /**
   * The same in core types, in order.
   *
   * @param max elements
   * @throws org.svcmailbox.core.problem.SchemaException naming every field that is refused
   */
  List<SettleRequest> checked(int max) {
    return BatchElements.checked("nacks", nacks, max, NackRequest::checked);
  }
}
