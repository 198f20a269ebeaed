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
 * {@code GET /metrics} in Prometheus' text format, for a server that has no such path of its own.
 *
 * <p>Nothing switches it off where the server has one: an application of the server's at {@code
 * /metrics} is nearer to such a request than this one at {@code /}, so this servlet is never called
 * there. The exporter's classes, which such a server need not have, are looked for only by a call.
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
   * As the container makes it, with an exporter given.
   *
   * @param export everything there is as text, after a refresh
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
