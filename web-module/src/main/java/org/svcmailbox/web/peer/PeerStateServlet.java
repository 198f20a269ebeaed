package org.svcmailbox.web.peer;

import static java.util.concurrent.CompletableFuture.completedFuture;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.route.CountsAnswer;
import org.svcmailbox.core.route.CountsCodec;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** Tells other nodes the counts of this one. */
@WebServlet(name = "peer-state", urlPatterns = HttpPeerTransport.STATE, asyncSupported = true)
public final class PeerStateServlet extends PeerServlet {
  private static final long serialVersionUID = 1L;

  private final transient PeerQuestions peers;

  @Inject
  public PeerStateServlet(
      PeerCapabilities capabilities,
      PeerQuestions peers,
      RequestBodies bodies,
      EndpointContext context) {
    super(capabilities, bodies, context);
    this.peers = peers;
  }

  @Override
  void serve(Exchange exchange) {
    CountsQuestion question =
        body(exchange, CountsCodec.MOST_QUESTION_BYTES, CountsCodec::question);
    CountsAnswer answer = peers.counts(question);
    exchange.answer(
        completedFuture(answer),
        told -> Answer.of(MediaTypes.OCTETS, Content.of(CountsCodec.encode(told))));
  }
}
