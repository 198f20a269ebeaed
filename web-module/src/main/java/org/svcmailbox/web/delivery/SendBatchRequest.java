package org.svcmailbox.web.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of SEND for a batch. */
record SendBatchRequest(@Nullable List<@Nullable SendMessageRequest> messages)
    implements JsonRequest {

  /**
   * Converts to core types, in order.
   *
   * @param bounds of one request
   * @throws org.svcmailbox.core.problem.SchemaException naming every refused field
   * @throws FrameTooLargeException when the payloads together are too large
   */
  List<SendRequest> checked(MailboxSettings.Request bounds) {
    List<SendRequest> requests =
        BatchElements.checked(
            "messages", messages, bounds.batch(), message -> message.checked(bounds));
    long bytes = requests.stream().mapToLong(request -> request.payload().size()).sum();
    if (bytes > bounds.maxFrame()) {
      throw new FrameTooLargeException("the payloads together", bounds.maxFrame());
    }
    return requests;
  }
}
