package org.svcmailbox.web.health;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.svcmailbox.core.health.Affects;

/**
 * {@code GET /readyz}: whether the service accepts calls. When only writes are affected, {@code
 * /readyz} is 503 and {@code /readyz?for=reads} stays 200, so that consumers still use this server.
 */
@WebServlet(name = "readyz", urlPatterns = "/readyz", asyncSupported = true)
public final class ReadinessServlet extends HealthServlet {
  private static final long serialVersionUID = 1L;

  private final transient Iterable<HealthCheck> checks;

  @Inject
  ReadinessServlet(@Readiness Instance<HealthCheck> checks) {
    this((Iterable<HealthCheck>) checks);
  }

  public ReadinessServlet(Iterable<HealthCheck> checks) {
    this.checks = checks;
  }

  @Override
  HealthReport report(HttpServletRequest request) {
    boolean isForReads = "reads".equals(request.getParameter("for"));
    return HealthReport.of(checks, answer -> !isForReads || !affectsWritesOnly(answer));
  }

  private static boolean affectsWritesOnly(HealthCheckResponse answer) {
    return answer
        .getData()
        .map(data -> data.get(PartChecks.AFFECTS))
        .filter(Affects.WRITES.text()::equals)
        .isPresent();
  }
}
