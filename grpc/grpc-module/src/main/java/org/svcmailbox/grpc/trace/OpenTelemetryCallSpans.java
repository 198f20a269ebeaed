package org.svcmailbox.grpc.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.core.trace.OpenTelemetrySpan;

/** Starts OpenTelemetry spans. Load it only where OpenTelemetry's classes exist. */
record OpenTelemetryCallSpans(Tracer tracer) implements CallSpans {
  static CallSpans ofServer() {
    return new OpenTelemetryCallSpans(
        CDI.current().select(OpenTelemetry.class).get().getTracer(OpenTelemetrySpan.SCOPE));
  }

  @Override
  public CallSpan begin(String method, @Nullable TraceContext sender) {
    int slash = method.lastIndexOf('/');
    return OpenTelemetrySpan.begin(
        tracer,
        method,
        sender,
        Map.of(
            "rpc.system",
            "grpc",
            "rpc.service",
            method.substring(0, slash),
            "rpc.method",
            method.substring(slash + 1)));
  }
}
