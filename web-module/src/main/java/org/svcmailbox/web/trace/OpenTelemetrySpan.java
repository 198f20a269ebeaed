package org.svcmailbox.web.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** A span of OpenTelemetry. Not to be touched where its classes are not. */
final class OpenTelemetrySpan implements RequestSpan {
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final Span span;

  private OpenTelemetrySpan(Span span) {
    this.span = span;
  }

  static RequestSpan current() {
    Span span = Span.current();
    return span.getSpanContext().isValid() ? new OpenTelemetrySpan(span) : NONE;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed, it would bring back what is to be left
  static void leave() {
    Context.root().makeCurrent();
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
