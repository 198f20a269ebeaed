package org.svcmailbox.web.metrics;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.web.problem.Endpoints;

/** Measures every request until its answer is written. */
@WebFilter(filterName = "request-timer", urlPatterns = "/*", asyncSupported = true)
public final class RequestTimer extends HttpFilter {
  private static final long serialVersionUID = 1L;

  /** Static is safe: each deployment loads its own classes. */
  private static final RequestTimes TIMES = new RequestTimes();

  public static MetricSource times() {
    return TIMES;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Histogram times = TIMES.of(Endpoints.of(request.getRequestURI()));
    TimedRequest timed = new TimedRequest(request, times, System.nanoTime());
    try {
      chain.doFilter(timed, response);
    } finally {
      timed.threadReleased();
    }
  }
}
