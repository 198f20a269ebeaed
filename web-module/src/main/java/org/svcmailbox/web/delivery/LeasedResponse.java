package org.svcmailbox.web.delivery;

import java.util.Map;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.servlet.Peer;

/** Formats delivered messages. */
interface LeasedResponse {
  /** All messages as one JSON object. */
  LeasedResponse JSON =
      (delivered, peer) ->
          whole(MediaTypes.JSON, LeasedAnswer.of(ReceivedJson.of(delivered), peer));

  /** A single payload with its fields as headers; 204 without a message. */
  LeasedResponse OCTETS =
      (delivered, peer) ->
          delivered.messages().isEmpty()
              ? Answer.nothing()
              : octets(delivered.messages().get(0), peer);

  Answer of(Delivered delivered, Peer peer);

  private static Answer octets(LeasedMessage leased, Peer peer) {
    LeasedAnswer payload = LeasedAnswer.of(leased.message().payload(), peer);
    return whole(MediaTypes.OCTETS, payload).with(ReceivedHeaders.of(leased));
  }

  /** Sets the length, which the server cannot compute once the answer is flushed. */
  private static Answer whole(String contentType, LeasedAnswer content) {
    return Answer.of(contentType, content)
        .with(Map.of("Content-Length", Integer.toString(content.length())));
  }
}
