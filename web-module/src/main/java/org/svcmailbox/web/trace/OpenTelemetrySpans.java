package org.svcmailbox.web.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts OpenTelemetry spans. Load it only where OpenTelemetry's classes exist. */
record OpenTelemetrySpans(Tracer tracer) implements Spans {
  private static final String SCOPE = "org.svcmailbox";
  private static final TextMapGetter<HttpServletRequest> HEADERS = new Headers();

  static Spans ofServer() {
    return new OpenTelemetrySpans(CDI.current().select(OpenTelemetry.class).get().getTracer(SCOPE));
  }

  @Override
  public RequestSpan begin(HttpServletRequest http) {
    String path = http.getServletPath();
    Span span =
        tracer
            .spanBuilder(http.getMethod() + " " + path)
            .setSpanKind(SpanKind.SERVER)
            .setParent(OpenTelemetrySpan.W3C.extract(Context.root(), http, HEADERS))
            .setAttribute("http.request.method", http.getMethod())
            .setAttribute("http.route", path)
            .setAttribute("url.path", path)
            .startSpan();
    return new OpenTelemetrySpan(span);
  }

  private static final class Headers implements TextMapGetter<HttpServletRequest> {
    @Override
    public Iterable<String> keys(HttpServletRequest from) {
      return List.of(Tracing.PARENT, Tracing.STATE);
    }

    @Override
    public @Nullable String get(@Nullable HttpServletRequest from, String key) {
      return from == null ? null : from.getHeader(key);
    }
  }
}
