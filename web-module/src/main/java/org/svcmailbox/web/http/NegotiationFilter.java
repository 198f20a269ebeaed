package org.svcmailbox.web.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import org.svcmailbox.web.trace.Correlation;

/**
 * Runs before every endpoint. Adds {@code nosniff} and {@code no-store} to every response and
 * refuses encoded bodies and requests that do not accept the path's media type. The OpenAPI
 * document ignores {@code Accept}. Passes requests on as {@link TrimmedHeadersRequest}s.
 */
@WebFilter(filterName = "negotiation", urlPatterns = "/*", asyncSupported = true)
public final class NegotiationFilter extends HttpFilter {
  private static final String IDENTITY = "identity";
  private static final String METRICS = "/metrics";
  private static final String OPENAPI = "/openapi";
  private static final String AUDIT = "/v1/audit";
  private static final String STREAM = "/v1/recv/stream";
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    Correlation.of(request);
    if (isEncoded(request)) {
      response.setHeader("Accept-Encoding", IDENTITY);
      response.sendError(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
    } else if (acceptsAnswer(request)) {
      chain.doFilter(new TrimmedHeadersRequest(request), response);
    } else {
      response.sendError(HttpServletResponse.SC_NOT_ACCEPTABLE);
    }
  }

  /** A payload is stored as it comes, so only its own bytes may say what it is. */
  private static boolean isEncoded(HttpServletRequest request) {
    Enumeration<String> encodings = request.getHeaders("Content-Encoding");
    while (encodings.hasMoreElements()) {
      if (!encodings.nextElement().strip().equalsIgnoreCase(IDENTITY)) {
        return true;
      }
    }
    return false;
  }

  private static boolean acceptsAnswer(HttpServletRequest request) {
    Enumeration<String> accepts = request.getHeaders("Accept");
    if (request.getServletPath().equals(OPENAPI)) {
      return true;
    }
    if (request.getServletPath().equals(METRICS)) {
      return MediaTypes.acceptText(accepts);
    }
    if (request.getRequestURI().equals(AUDIT)) {
      return MediaTypes.acceptLines(accepts);
    }
    if (request.getServletPath().equals(STREAM)) {
      return MediaTypes.acceptStream(accepts);
    }
    return MediaTypes.known(request.getContentType()).equals(MediaTypes.OCTETS)
        ? MediaTypes.acceptOctets(accepts)
        : MediaTypes.acceptJson(accepts);
  }
}
