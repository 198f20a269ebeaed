package org.svcmailbox.web.delivery;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;

/** What messages that were handed out are answered with. */
interface LeasedResponse {
  /** All of them as a JSON object. */
  LeasedResponse JSON =
      (delivered, pending, peer) ->
          whole(LeasedAnswer.of(ReceivedJson.of(delivered), pending, peer)).build();

  /** The only one as its payload, with its fields as headers; nothing when there is none. */
  LeasedResponse OCTETS =
      (delivered, pending, peer) ->
          delivered.messages().isEmpty()
              ? Response.noContent().build()
              : octets(delivered.messages().get(0), pending, peer);

  /** The response that is given back to {@code pending} when it cannot be written. */
  Response of(Delivered delivered, PendingRecv pending, Peer peer);

  private static Response octets(LeasedMessage leased, PendingRecv pending, Peer peer) {
    Response.ResponseBuilder response =
        whole(LeasedAnswer.of(leased.message().payload(), pending, peer))
            .type(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    ReceivedHeaders.of(leased).forEach(response::header);
    return response.build();
  }

  private static Response.ResponseBuilder whole(LeasedAnswer answer) {
    return Response.ok(answer).header(HttpHeaders.CONTENT_LENGTH, answer.length());
  }
}
