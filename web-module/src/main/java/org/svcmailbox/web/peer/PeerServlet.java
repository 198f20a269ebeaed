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
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** An endpoint for frames of other nodes, which takes no other token than a node's. */
abstract class PeerServlet extends HttpServlet {
  private static final String POST = "POST";
  private static final long serialVersionUID = 1L;

  private final transient PeerCapabilities capabilities;
  private final transient RequestBodies bodies;
  private final transient EndpointContext context;

  PeerServlet(PeerCapabilities capabilities, RequestBodies bodies, EndpointContext context) {
    this.capabilities = capabilities;
    this.bodies = bodies;
    this.context = context;
  }

  /** Reads a frame. */
  interface Reader<T> {
    T read(byte[] frame) throws MalformedFrameException;
  }

  /** Answers the frame of a node. */
  abstract void serve(Exchange exchange);

  /** Reads the request's frame of at most {@code most} bytes. */
  final <T> T frame(Exchange exchange, int most, Reader<T> reader) {
    byte[] frame = bodies.octets(exchange.http(), most).bytes();
    try {
      return reader.read(frame);
    } catch (MalformedFrameException e) {
      throw new SchemaException("body", String.valueOf(e.getMessage()));
    }
  }

  @Override
  protected final void service(HttpServletRequest http, HttpServletResponse response)
      throws IOException {
    Call call = Call.of(http);
    try {
      String token = Authentication.bearerToken(http.getHeader("Authorization"));
      capabilities.requirePeer(token, IpRange.address(http.getRemoteAddr()).orElse(null));
      if (!POST.equals(http.getMethod())) {
        ProblemAnswer.refused(HttpServletResponse.SC_METHOD_NOT_ALLOWED, call)
            .with(Map.of("Allow", POST))
            .writeTo(response);
      } else if (!MediaTypes.OCTETS.equals(http.getContentType())) {
        ProblemAnswer.refused(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, call)
            .writeTo(response);
      } else {
        context.serve(http, response, call, this::serve);
      }
    } catch (RuntimeException e) {
      ProblemAnswer.thrown(e, call).writeTo(response);
    }
  }
}
