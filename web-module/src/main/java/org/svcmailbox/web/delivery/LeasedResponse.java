package org.svcmailbox.web.delivery;

import java.util.Map;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.http.MediaTypes;

/** Formats delivered messages. */
interface LeasedResponse {
  /** All messages as one JSON object. */
  LeasedResponse JSON =
      (delivered, pending, peer) ->
          whole(MediaTypes.JSON, LeasedAnswer.of(ReceivedJson.of(delivered), pending, peer));

  /** A single payload with its fields as headers; 204 without a message. */
  LeasedResponse OCTETS =
      (delivered, pending, peer) ->
          delivered.messages().isEmpty()
              ? Answer.nothing()
              : octets(delivered.messages().get(0), pending, peer);

  /** Returns the answer; a failed write gives the messages back to {@code pending}. */
  Answer of(Delivered delivered, PendingRecv pending, Peer peer);

  private static Answer octets(LeasedMessage leased, PendingRecv pending, Peer peer) {
    LeasedAnswer payload = LeasedAnswer.of(leased.message().payload(), pending, peer);
    return whole(MediaTypes.OCTETS, payload).with(ReceivedHeaders.of(leased));
  }

  /** Sets the length, which the server cannot compute once the answer is flushed. */
  private static Answer whole(String contentType, LeasedAnswer content) {
    return Answer.of(contentType, content)
        .with(Map.of("Content-Length", Integer.toString(content.length())));
  }
}
