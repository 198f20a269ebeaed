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
 * The filter before every door. Answers say that they are not to be guessed at and not to be kept.
 * Requests are refused when they do not accept what the path answers, which is JSON or, where the
 * request is one, a bare payload; for the metrics, text. The OpenAPI document has one form,
 * whatever {@code Accept} says. Requests are passed on as {@link TrimmedHeadersRequest}s.
 */
@WebFilter(filterName = "negotiation", urlPatterns = "/*", asyncSupported = true)
public final class NegotiationFilter extends HttpFilter {
  private static final String METRICS = "/metrics";
  private static final String OPENAPI = "/openapi";
  private static final String AUDIT = "/v1/audit";
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    Correlation.of(request);
    if (acceptsAnswer(request)) {
      chain.doFilter(new TrimmedHeadersRequest(request), response);
    } else {
      response.sendError(HttpServletResponse.SC_NOT_ACCEPTABLE);
    }
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
    return MediaTypes.known(request.getContentType()).equals(MediaTypes.OCTETS)
        ? MediaTypes.acceptOctets(accepts)
        : MediaTypes.acceptJson(accepts);
  }
}
