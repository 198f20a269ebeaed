package org.svcmailbox.grpc.bound;

import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.trace.CallSpan;

/** One call, and its share of the limits. Any thread. */
public final class OpenCall extends ServerStreamTracer {
  private static final Context.Key<OpenCall> KEY = Context.key("org.svcmailbox.grpc.call");

  private final String method;
  private final CallBounds bounds;
  private final boolean isWithinBound;
  private final CallMeasure measure;

  /** Bytes that have arrived and were not released. */
  private final AtomicLong unread = new AtomicLong();

  /** All bytes that have arrived. */
  private final AtomicLong arrived = new AtomicLong();

  /** Null until too many bytes arrive. */
  private final AtomicReference<@Nullable Refusal> overflow = new AtomicReference<>();

  private final AtomicReference<@Nullable Consumer<Refusal>> refuser = new AtomicReference<>();

  OpenCall(String method, CallBounds bounds) {
    this.method = method;
    this.bounds = bounds;
    this.isWithinBound = bounds.calls().tryAdd(1);
    this.measure = new CallMeasure(bounds.times().of(method));
  }

  /** The call of the current thread. */
  public static OpenCall current() {
    OpenCall call = KEY.get();
    if (call == null) {
      throw new IllegalStateException("no call is being served");
    }
    return call;
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  /** Why the call may not begin; empty if it may. */
  public Optional<Refusal> refusal() {
    return isWithinBound
        ? Optional.ofNullable(overflow.get())
        : Optional.of(bounds.calls().refusal());
  }

  /**
   * Registers what refuses the call when too many bytes arrive. It runs at most once, and at once
   * if they already have.
   */
  public void onOverflow(Consumer<Refusal> refuse) {
    refuser.set(refuse);
    tellOverflow();
  }

  private void tellOverflow() {
    Refusal refusal = overflow.get();
    Consumer<Refusal> refuse = refusal == null ? null : refuser.getAndSet(null);
    if (refusal != null && refuse != null) {
      refuse.accept(refusal);
    }
  }

  /** Called for each part of a message on its arrival. */
  @Override
  public void inboundWireSize(long count) {
    arrived.addAndGet(count);
    if (overflow.get() != null) {
      return;
    }
    if (bounds.bytes().tryAdd(count)) {
      unread.addAndGet(count);
    } else {
      overflow.compareAndSet(null, bounds.bytes().refusal());
      tellOverflow();
    }
  }

  /** All bytes that have arrived so far. */
  public long arrived() {
    return arrived.get();
  }

  /** Releases all bytes that have arrived, because they are being handled now. */
  public void handled() {
    bounds.bytes().remove(unread.getAndSet(0));
  }

  /** Takes the call's span, which ends together with its duration. */
  public void trace(CallSpan begun) {
    measure.trace(begun);
  }

  /** Ends the duration and the span of a stream's call, whose length is the client's choice. */
  public void opened() {
    measure.end(Status.Code.OK);
  }

  @Override
  public void streamClosed(Status status) {
    measure.end(status.getCode());
    handled();
    if (isWithinBound) {
      bounds.calls().remove(1);
    }
    bounds.counts().count(method, status.getCode());
  }
}
