package org.svcmailbox.web.delivery;

import java.util.Map;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.http.MediaTypes;

/** What messages that were handed out are answered with. */
interface LeasedResponse {
  /** All of them as a JSON object. */
  LeasedResponse JSON =
      (delivered, pending, peer) ->
          whole(MediaTypes.JSON, LeasedAnswer.of(ReceivedJson.of(delivered), pending, peer));

  /** The only one as its payload, with its fields as headers; nothing when there is none. */
  LeasedResponse OCTETS =
      (delivered, pending, peer) ->
          delivered.messages().isEmpty()
              ? Answer.nothing()
              : octets(delivered.messages().get(0), pending, peer);

  /** The answer that is given back to {@code pending} when it cannot be written. */
  Answer of(Delivered delivered, PendingRecv pending, Peer peer);

  private static Answer octets(LeasedMessage leased, PendingRecv pending, Peer peer) {
    LeasedAnswer payload = LeasedAnswer.of(leased.message().payload(), pending, peer);
    return whole(MediaTypes.OCTETS, payload).with(ReceivedHeaders.of(leased));
  }

  /** With its length, which the server no longer finds out when the answer is flushed. */
  private static Answer whole(String contentType, LeasedAnswer content) {
    return Answer.of(contentType, content)
        .with(Map.of("Content-Length", Integer.toString(content.length())));
  }
}
