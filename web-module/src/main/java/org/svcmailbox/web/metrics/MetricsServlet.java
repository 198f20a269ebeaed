package org.svcmailbox.web.metrics;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.PrometheusText;

/** {@code GET /metrics} in Prometheus' text format. */
@WebServlet(name = "metrics", urlPatterns = "/metrics", asyncSupported = true)
public final class MetricsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient MetricsService metrics;

  @Inject
  public MetricsServlet(MetricsService metrics) {
    this.metrics = metrics;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] text = metrics.text().getBytes(StandardCharsets.UTF_8);
    response.setContentType(PrometheusText.CONTENT_TYPE);
    response.setContentLength(text.length);
    response.getOutputStream().write(text);
  }
}
