package org.svcmailbox.web.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers GET with a report: 200 when UP, 503 otherwise. */
abstract class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  abstract HealthReport report(HttpServletRequest request);

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HealthReport report = report(request);
    byte[] json = report.json();
    response.setStatus(
        report.isUp() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("application/json");
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
