package org.svcmailbox.web.peer;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** A call of another node, whose body is a frame. */
abstract class PeerServlet extends HttpServlet {
  private static final String POST = "POST";
  private static final long serialVersionUID = 1L;

  private final transient PeerCapabilities capabilities;
  private final transient RequestBodies bodies;
  private final transient EndpointContext context;

  /** Decodes a body. */
  interface Frame<T> {
    T read(byte[] body) throws MalformedFrameException;
  }

  PeerServlet(PeerCapabilities capabilities, RequestBodies bodies, EndpointContext context) {
    this.capabilities = capabilities;
    this.bodies = bodies;
    this.context = context;
  }

  /** Serves a call of a node. */
  abstract void serve(Exchange exchange);

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

  /** The body of a call, of at most so many bytes. */
  <T> T body(Exchange exchange, int most, Frame<T> frame) {
    try {
      return frame.read(bodies.octets(exchange.http(), most).bytes());
    } catch (MalformedFrameException e) {
      throw new SchemaException("body", String.valueOf(e.getMessage()));
    }
  }
}
