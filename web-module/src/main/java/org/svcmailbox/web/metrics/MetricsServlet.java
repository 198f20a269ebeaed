package org.svcmailbox.web.metrics;

import io.smallrye.metrics.exporters.PrometheusMetricsExporter;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.svcmailbox.core.metrics.MetricsService;

/**
 * {@code GET /metrics} in Prometheus' text format, for servers without such a path.
 *
 * <p>On a server that has one, its own {@code /metrics} context takes precedence, so this servlet
 * is never called. Exporter classes are loaded on the first call, because such a server may lack
 * them.
 */
@WebServlet(name = "metrics", urlPatterns = "/metrics", asyncSupported = true)
public final class MetricsServlet extends HttpServlet {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final long serialVersionUID = 1L;

  private final transient MetricsService metrics;
  private final transient Supplier<String> export;

  @Inject
  MetricsServlet(MetricsService metrics) {
    this(metrics, () -> new PrometheusMetricsExporter().exportAllScopes());
  }

  /**
   * @param export returns all metrics as text, after a refresh
   */
  public MetricsServlet(MetricsService metrics, Supplier<String> export) {
    this.metrics = metrics;
    this.export = export;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    metrics.refresh();
    String all = export.get() + DistributionText.of(metrics.distributions());
    byte[] text = all.getBytes(StandardCharsets.UTF_8);
    response.setContentType(CONTENT_TYPE);
    response.setContentLength(text.length);
    response.getOutputStream().write(text);
  }
}
