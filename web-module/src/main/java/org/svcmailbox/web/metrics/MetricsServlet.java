package org.svcmailbox.web.metrics;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.PrometheusText;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;

/**
 * {@code GET /metrics} in Prometheus' text format, for the addresses that the settings allow and
 * for capabilities with {@code audit} of every topic.
 */
@WebServlet(name = "metrics", urlPatterns = "/metrics", asyncSupported = true)
public final class MetricsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient MetricsService metrics;
  private final transient Authentication authentication;
  private final transient Optional<List<IpRange>> from;

  @Inject
  public MetricsServlet(
      MetricsService metrics, Authentication authentication, MailboxSettings settings) {
    this.metrics = metrics;
    this.authentication = authentication;
    this.from = settings.intake().metricsFrom();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      requireReader(request);
    } catch (MailboxException e) {
      ProblemAnswer.thrown(e, Call.of(request)).writeTo(response);
      return;
    }
    byte[] text = metrics.text().getBytes(StandardCharsets.UTF_8);
    response.setContentType(PrometheusText.CONTENT_TYPE);
    response.setContentLength(text.length);
    response.getOutputStream().write(text);
  }

  private void requireReader(HttpServletRequest request) {
    if (from.isPresent() && !authentication.isFrom(from.get(), request)) {
      authentication.caller(request).require(Operation.AUDIT, null);
    }
  }
}
