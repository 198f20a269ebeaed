package org.svcmailbox.console.page;

import jakarta.inject.Inject;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.svcmailbox.console.session.SessionService;

/** Adds the content security policy and related headers to every response. */
@WebFilter(
    urlPatterns = "/*",
    dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ERROR, DispatcherType.FORWARD},
    asyncSupported = true)
public final class SecurityHeadersFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
          + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", POLICY,
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          // Static files override the cache control.
          "Cache-Control", "no-store");

  /** One year, for this host name only. Browsers ignore it without TLS. */
  private static final String TLS_ONLY = "max-age=31536000";

  private final transient SessionService sessions;

  @Inject
  public SecurityHeadersFilter(SessionService sessions) {
    this.sessions = sessions;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HEADERS.forEach(response::setHeader);
    if (sessions.request(request).isSecure()) {
      response.setHeader("Strict-Transport-Security", TLS_ONLY);
    }
    chain.doFilter(request, response);
  }
}
