package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of SEND for a batch. */
record SendBatchRequest(@Nullable List<@Nullable SendFields> messages) implements JsonRequest {

  /**
   * Converts to core types, in order.
   *
   * @param bounds of one request
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when the payloads together are too
   *     large
   */
  List<SendRequest> checked(MailboxSettings.Request bounds) {
    return SendFields.checkedBatch(messages, Function.identity(), bounds);
  }
}
