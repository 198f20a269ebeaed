package org.svcmailbox.core.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TraceContext;

/** An OpenTelemetry span. Load it only where OpenTelemetry's classes exist. */
public final class OpenTelemetrySpan implements CallSpan {
  /** The name of this service's tracer. */
  public static final String SCOPE = "org.svcmailbox";

  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
  private static final TextMapGetter<TraceContext> FIELDS = new Fields();
  private static final String MESSAGES = "messaging.batch.message_count";

  private final Span span;
  private final Tracer tracer;

  private OpenTelemetrySpan(Span span, Tracer tracer) {
    this.span = span;
    this.tracer = tracer;
  }

  /**
   * Begins the span of a call.
   *
   * @param parent the caller's; null without one
   */
  public static CallSpan begin(
      Tracer tracer, String name, @Nullable TraceContext parent, Map<String, String> attributes) {
    SpanBuilder begun =
        tracer
            .spanBuilder(name)
            .setSpanKind(SpanKind.SERVER)
            .setParent(W3C.extract(Context.root(), parent, FIELDS));
    attributes.forEach(begun::setAttribute);
    return new OpenTelemetrySpan(begun.startSpan(), tracer);
  }

  @Override
  public void end(String attribute, long code, boolean isFailure) {
    span.setAttribute(attribute, code);
    if (isFailure) {
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
    span.addLink(there(message));
  }

  private static SpanContext there(TraceContext message) {
    return Span.fromContext(W3C.extract(Context.root(), message, FIELDS)).getSpanContext();
  }

  @Override
  public void round(int messages, List<TraceContext> senders) {
    SpanBuilder round =
        tracer
            .spanBuilder("recv")
            .setSpanKind(SpanKind.CONSUMER)
            .setParent(Context.root().with(span))
            .setAttribute(MESSAGES, messages);
    senders.forEach(sender -> round.addLink(there(sender)));
    round.startSpan().end();
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
