package org.svcmailbox.web.peer;

import static java.util.concurrent.CompletableFuture.completedFuture;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import java.util.List;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerAnswer;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** Parts of operators' calls from other nodes, one in a frame, on the request's own thread. */
@WebServlet(name = "peer-groups", urlPatterns = HttpPeerTransport.GROUPS, asyncSupported = true)
public final class PeerGroupsServlet extends PeerServlet {
  private static final long serialVersionUID = 1L;

  private final transient PeerQuestions peers;

  @Inject
  public PeerGroupsServlet(
      PeerCapabilities capabilities,
      PeerQuestions peers,
      RequestBodies bodies,
      EndpointContext context) {
    super(capabilities, bodies, context);
    this.peers = peers;
  }

  @Override
  void serve(Exchange exchange) {
    List<ForwardedCall> calls = body(exchange, PeerCodec.MOST_CALL_BYTES, PeerCodec::calls);
    if (calls.size() != 1) {
      throw new SchemaException("body", "has %d questions".formatted(calls.size()));
    }
    PeerAnswer answer = peers.answer(calls.get(0));
    exchange.answer(
        completedFuture(answer),
        told ->
            Answer.of(
                MediaTypes.OCTETS,
                Content.of(PeerCodec.answerFrame(List.of(PeerCodec.encode(told))))));
  }
}
