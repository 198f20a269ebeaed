package org.svcmailbox.grpc.call;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.core.trace.Tracing;
import org.svcmailbox.grpc.bound.Methods;
import org.svcmailbox.grpc.refusal.Refusals;

/** One call: its metadata, and its caller as soon as that is known. Any thread. */
public final class CallInfo implements Refusals.Refused {
  static final Context.Key<CallInfo> KEY = Context.key("org.svcmailbox.grpc.info");

  private static final Metadata.Key<String> AUTHORIZATION = text("authorization");
  private static final Metadata.Key<String> FORWARDED = text("x-forwarded-for");
  private static final Metadata.Key<String> CORRELATION = text("x-correlation-id");
  private static final Metadata.Key<String> PARENT = text(Tracing.PARENT);
  private static final Metadata.Key<String> STATE = text(Tracing.STATE);

  private static final String SCHEME = "Bearer ";

  private final String method;
  private final String peer;
  private final Metadata headers;
  private @Nullable Caller caller;
  private CallSpan span = CallSpan.NONE;
  private @Nullable CorrId corrId;

  CallInfo(ServerCall<?, ?> call, Metadata headers) {
    this.method = call.getMethodDescriptor().getFullMethodName();
    this.peer = peer(call.getAttributes());
    this.headers = headers;
  }

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static String peer(Attributes attributes) {
    return attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address
            && address.getAddress() != null
        ? address.getAddress().getHostAddress()
        : "";
  }

  /** The call of the current thread. */
  static CallInfo current() {
    CallInfo info = KEY.get();
    if (info == null) {
      throw new IllegalStateException("no call is being served");
    }
    return info;
  }

  /** The bearer token; null without one. */
  @Nullable String token() {
    String header = headers.get(AUTHORIZATION);
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }

  /** The client's address according to proxies; null if they state none. */
  @Nullable String forwarded() {
    Iterable<String> all = headers.getAll(FORWARDED);
    return all == null ? null : String.join(",", all);
  }

  void caller(Caller authenticated) {
    caller = authenticated;
  }

  Caller caller() {
    Caller known = caller;
    if (known == null) {
      throw new IllegalStateException(method + " needs no capability");
    }
    return known;
  }

  void span(CallSpan begun) {
    span = begun;
  }

  CallSpan span() {
    return span;
  }

  /**
   * The trace context for messages that this call sends: its span's, else the client's, else null.
   */
  @Nullable TraceContext trace() {
    TraceContext here = span.context();
    return here != null ? here : sender();
  }

  /** The client's span; null without one. */
  @Nullable TraceContext sender() {
    String parent = headers.get(PARENT);
    return parent == null ? null : TraceContext.of(parent, headers.get(STATE));
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String endpoint() {
    return Methods.endpoint(method);
  }

  @Override
  public String address() {
    return peer;
  }

  @Override
  public String corrId() {
    return id().value();
  }

  private synchronized CorrId id() {
    CorrId known = corrId;
    if (known == null) {
      known = CorrId.orRandom(headers.get(CORRELATION));
      corrId = known;
    }
    return known;
  }

  /**
   * The id of the only message that the call sends.
   *
   * @param named the sender's id, which becomes the call's id
   */
  synchronized CorrId idOf(@Nullable CorrId named) {
    if (named != null) {
      corrId = named;
    }
    return id();
  }
}
