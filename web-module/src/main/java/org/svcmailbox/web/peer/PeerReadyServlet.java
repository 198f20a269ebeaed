package org.svcmailbox.web.peer;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.route.ReadyCodec;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** Questions of other nodes for topics with messages, answered once one has some. */
@WebServlet(name = "peer-ready", urlPatterns = HttpPeerTransport.READY, asyncSupported = true)
public final class PeerReadyServlet extends PeerServlet {
  private static final long serialVersionUID = 1L;

  private final transient PeerService peers;

  @Inject
  public PeerReadyServlet(
      PeerCapabilities capabilities,
      PeerService peers,
      RequestBodies bodies,
      EndpointContext context) {
    super(capabilities, bodies, context);
    this.peers = peers;
  }

  @Override
  void serve(Exchange exchange) {
    exchange.answer(
        peers.ready(body(exchange, ReadyCodec.MOST_BYTES, ReadyCodec::question)),
        ready -> Answer.of(MediaTypes.OCTETS, Content.of(ReadyCodec.encode(ready))));
  }
}
