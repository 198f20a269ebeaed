package org.svcmailbox.web.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** An OpenTelemetry span. Load it only where OpenTelemetry's classes exist. */
final class OpenTelemetrySpan implements RequestSpan {
  private static final int FIRST_SERVER_ERROR = 500;
  static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final Span span;

  OpenTelemetrySpan(Span span) {
    this.span = span;
  }

  @Override
  public void end(int status) {
    span.setAttribute("http.response.status_code", status);
    if (status >= FIRST_SERVER_ERROR) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  @Override
  public @Nullable TraceContext context() {
    Map<String, String> fields = new HashMap<>();
    W3C.inject(Context.root().with(span), fields, Map::put);
    return TraceContext.of(fields.get(Tracing.PARENT), fields.get(Tracing.STATE));
  }

  @Override
  public void link(TraceContext message) {
    Context there = W3C.extract(Context.root(), message, new Fields());
    span.addLink(Span.fromContext(there).getSpanContext());
  }

  private static final class Fields implements TextMapGetter<TraceContext> {
    @Override
    public Iterable<String> keys(TraceContext from) {
      return List.of(Tracing.PARENT, Tracing.STATE);
    }

    @Override
    public @Nullable String get(@Nullable TraceContext from, String key) {
      if (from == null) {
        return null;
      }
      return key.equals(Tracing.PARENT) ? from.parent() : from.state();
    }
  }
}
