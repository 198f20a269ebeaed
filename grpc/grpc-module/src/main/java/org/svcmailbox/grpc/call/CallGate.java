package org.svcmailbox.grpc.call;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.Optional;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.grpc.bound.OpenCall;
import org.svcmailbox.grpc.refusal.Refusals;
import org.svcmailbox.grpc.refusal.RefusedException;
import org.svcmailbox.grpc.trace.CallSpans;
import org.svcmailbox.proto.v1.MailboxGrpc;

/** Admits calls that are within the limits, come before the drain, and have a capability. */
public final class CallGate implements ServerInterceptor {
  private static final Refusal DRAINING =
      Refusal.unavailable("draining", "The server is shutting down", Duration.ofSeconds(1));

  private final CapabilityService capabilities;
  private final ClientAddress addresses;
  private final SlowUploads uploads;
  private final Refusals refusals;
  private final CallSpans spans;
  private volatile boolean isDraining;

  public CallGate(
      CapabilityService capabilities,
      ClientAddress addresses,
      SlowUploads uploads,
      Refusals refusals,
      CallSpans spans) {
    this.capabilities = capabilities;
    this.addresses = addresses;
    this.uploads = uploads;
    this.refusals = refusals;
    this.spans = spans;
  }

  /** Refuses calls of the mailbox from now on. */
  public void drain() {
    isDraining = true;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    CallInfo info = new CallInfo(call, headers);
    GatedCall<Q, A> gated = new GatedCall<>(call);
    OpenCall open = OpenCall.current();
    try {
      admit(open, info, isPublic(call));
    } catch (RuntimeException e) {
      gated.refuse(refusals.call(e, info));
      return new Listener<>() {};
    }
    open.onOverflow(refusal -> gated.refuse(refusals.call(refused(refusal), info)));
    uploads.begun(gated, info, open);
    Context context = Context.current().withValue(CallInfo.KEY, info);
    return new Reading<>(Contexts.interceptCall(context, gated, headers, next), gated, open);
  }

  /** Health and reflection reveal only what is public. */
  private static boolean isPublic(ServerCall<?, ?> call) {
    return !MailboxGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName());
  }

  private void admit(OpenCall open, CallInfo info, boolean isPublic) {
    Optional<Refusal> full = open.refusal();
    if (full.isPresent()) {
      throw refused(full.get());
    }
    if (isPublic) {
      return;
    }
    if (isDraining) {
      throw refused(DRAINING);
    }
    info.caller(
        capabilities.authenticate(info.token(), addresses.of(info.address(), info.forwarded())));
    info.span(spans.begin(info.method(), info.sender()));
    open.trace(info.span());
  }

  private static RefusedException refused(Refusal refusal) {
    return new RefusedException(ProblemReports.refused(refusal));
  }

  /**
   * Reports to the limits when the request is complete. A call that was refused before that does
   * nothing.
   */
  private final class Reading<Q> extends SimpleForwardingServerCallListener<Q> {
    private final GatedCall<Q, ?> call;
    private final OpenCall open;

    Reading(Listener<Q> handler, GatedCall<Q, ?> call, OpenCall open) {
      super(handler);
      this.call = call;
      this.open = open;
    }

    @Override
    public void onMessage(Q message) {
      open.handled();
      super.onMessage(message);
    }

    @Override
    public void onHalfClose() {
      uploads.ended(call);
      if (!call.isOver()) {
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      uploads.ended(call);
      super.onCancel();
    }

    @Override
    public void onComplete() {
      uploads.ended(call);
      super.onComplete();
    }
  }
}
