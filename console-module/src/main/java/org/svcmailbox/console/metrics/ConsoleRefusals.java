package org.svcmailbox.console.metrics;

import static jakarta.servlet.http.HttpServletResponse.SC_BAD_GATEWAY;
import static jakarta.servlet.http.HttpServletResponse.SC_FORBIDDEN;
import static jakarta.servlet.http.HttpServletResponse.SC_METHOD_NOT_ALLOWED;
import static jakarta.servlet.http.HttpServletResponse.SC_SERVICE_UNAVAILABLE;
import static jakarta.servlet.http.HttpServletResponse.SC_UNAUTHORIZED;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;

/** Counts refused requests by response status. Any thread. */
final class ConsoleRefusals extends HttpFilter implements MetricSource {
  private static final long serialVersionUID = 1L;
  private static final int SC_TOO_MANY_REQUESTS = 429;
  private static final String ENDPOINT = "console";

  private static final Map<Integer, String> REASONS =
      Map.of(
          SC_UNAUTHORIZED, "console_session",
          SC_FORBIDDEN, "console_sign_in",
          SC_METHOD_NOT_ALLOWED, "schema",
          SC_TOO_MANY_REQUESTS, "console_sign_in_rate",
          SC_BAD_GATEWAY, "console_provider",
          SC_SERVICE_UNAVAILABLE, "unavailable");

  private final transient Tally byReason =
      new Tally(Family.REJECTED_TOTAL, List.copyOf(REASONS.values()));
  private final transient Tally busy = new Tally(Family.BUSY_REJECTIONS_TOTAL, List.of(ENDPOINT));

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(request, response);
    count(response.getStatus());
  }

  private void count(int status) {
    String reason = REASONS.get(status);
    if (reason != null) {
      byReason.count(reason);
    }
    if (status == SC_TOO_MANY_REQUESTS || status == SC_SERVICE_UNAVAILABLE) {
      busy.count(ENDPOINT);
    }
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(byReason.metrics());
    all.addAll(busy.metrics());
    return all;
  }
}
