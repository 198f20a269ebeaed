package org.svcmailbox.web.health;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.Liveness;

/** {@code GET /healthz}: whether the process should keep running. */
@WebServlet(name = "healthz", urlPatterns = "/healthz", asyncSupported = true)
public final class LivenessServlet extends HealthServlet {
  private static final long serialVersionUID = 1L;

  private final transient Iterable<HealthCheck> checks;

  @Inject
  LivenessServlet(@Liveness Instance<HealthCheck> checks) {
    this((Iterable<HealthCheck>) checks);
  }

  public LivenessServlet(Iterable<HealthCheck> checks) {
    this.checks = checks;
  }

  @Override
  HealthReport report(HttpServletRequest request) {
    return HealthReport.of(checks, answer -> true);
  }
}
