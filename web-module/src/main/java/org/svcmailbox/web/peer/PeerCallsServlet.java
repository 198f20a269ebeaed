package org.svcmailbox.web.peer;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** Frames of calls from other nodes. Leases of an answer that does not leave are given back. */
@WebServlet(name = "peer-calls", urlPatterns = HttpPeerTransport.CALLS, asyncSupported = true)
public final class PeerCallsServlet extends HttpServlet {
  private static final String POST = "POST";
  private static final long serialVersionUID = 1L;

  private final transient PeerCapabilities capabilities;
  private final transient PeerService peers;
  private final transient RequestBodies bodies;
  private final transient EndpointContext context;

  @Inject
  public PeerCallsServlet(
      PeerCapabilities capabilities,
      PeerService peers,
      RequestBodies bodies,
      EndpointContext context) {
    this.capabilities = capabilities;
    this.peers = peers;
    this.bodies = bodies;
    this.context = context;
  }

  @Override
  protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
    Call call = Call.of(http);
    try {
      String token = Authentication.bearerToken(http.getHeader("Authorization"));
      capabilities.requirePeer(token, IpRange.address(http.getRemoteAddr()).orElse(null));
      if (!POST.equals(http.getMethod())) {
        refuse(HttpServletResponse.SC_METHOD_NOT_ALLOWED, call)
            .with(Map.of("Allow", POST))
            .writeTo(response);
      } else if (!MediaTypes.OCTETS.equals(http.getContentType())) {
        refuse(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, call).writeTo(response);
      } else {
        context.serve(http, response, call, this::serve);
      }
    } catch (RuntimeException e) {
      ProblemAnswer.thrown(e, call).writeTo(response);
    }
  }

  private static Answer refuse(int status, Call call) {
    return ProblemAnswer.refused(status, call);
  }

  private void serve(Exchange exchange) {
    List<ForwardedCall> calls =
        calls(bodies.octets(exchange.http(), PeerCodec.MOST_CALL_BYTES).bytes());
    CompletionStage<PeerService.Answers> outcome = peers.carryOut(calls);
    exchange.answerLeased(
        outcome,
        answers -> Answer.of(MediaTypes.OCTETS, Content.of(answers.frame())),
        () -> {
          CompletionStage<Void> unused = outcome.thenAccept(PeerService.Answers::unsent);
        });
  }

  private static List<ForwardedCall> calls(byte[] frame) {
    try {
      return PeerCodec.calls(frame);
    } catch (MalformedFrameException e) {
      throw new SchemaException("body", String.valueOf(e.getMessage()));
    }
  }
}
