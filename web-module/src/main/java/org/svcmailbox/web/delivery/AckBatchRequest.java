package org.svcmailbox.web.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.core.request.BatchElements;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of ACK for a batch. */
record AckBatchRequest(@Nullable List<@Nullable AckFields> acks) implements JsonRequest {

  /**
   * Converts to core types, in order.
   *
   * @param max elements
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   */
  List<Ack> checked(int max) {
    return BatchElements.checked("acks", acks, max, AckFields::checked);
  }
}
