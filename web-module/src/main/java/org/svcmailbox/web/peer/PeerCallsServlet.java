package org.svcmailbox.web.peer;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** Frames of calls from other nodes. Leases of an answer that does not leave are given back. */
@WebServlet(name = "peer-calls", urlPatterns = HttpPeerTransport.CALLS, asyncSupported = true)
public final class PeerCallsServlet extends PeerServlet {
  private static final long serialVersionUID = 1L;

  private final transient PeerService peers;

  @Inject
  public PeerCallsServlet(
      PeerCapabilities capabilities,
      PeerService peers,
      RequestBodies bodies,
      EndpointContext context) {
    super(capabilities, bodies, context);
    this.peers = peers;
  }

  @Override
  void serve(Exchange exchange) {
    CompletionStage<PeerService.Answers> outcome =
        peers.carryOut(body(exchange, PeerCodec.MOST_CALL_BYTES, PeerCodec::calls));
    exchange.answerLeased(
        outcome,
        answers -> Answer.of(MediaTypes.OCTETS, Content.of(answers.frame())),
        () -> {
          CompletionStage<Void> unused = outcome.thenAccept(PeerService.Answers::unsent);
        });
  }
}
