package org.svcmailbox.web.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.core.trace.OpenTelemetrySpan;

/** Starts OpenTelemetry spans. Load it only where OpenTelemetry's classes exist. */
record OpenTelemetrySpans(Tracer tracer) implements Spans {
  static Spans ofServer() {
    return new OpenTelemetrySpans(
        CDI.current().select(OpenTelemetry.class).get().getTracer(OpenTelemetrySpan.SCOPE));
  }

  @Override
  public CallSpan begin(HttpServletRequest http) {
    String method = http.getMethod();
    String path = http.getServletPath();
    return OpenTelemetrySpan.begin(
        tracer,
        method + " " + path,
        Spans.sender(http),
        Map.of("http.request.method", method, "http.route", path, "url.path", path));
  }
}
