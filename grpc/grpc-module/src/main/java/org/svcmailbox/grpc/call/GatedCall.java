package org.svcmailbox.grpc.call;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call that is ended by its handler or, before the handler has the whole request, by the gate.
 * Everything after the end is ignored.
 */
final class GatedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
  private final AtomicBoolean closed = new AtomicBoolean();

  GatedCall(ServerCall<Q, A> call) {
    super(call);
  }

  /** Ends the call unless it has ended. */
  void refuse(StatusException refusal) {
    Metadata trailers = refusal.getTrailers();
    close(refusal.getStatus(), trailers != null ? trailers : new Metadata());
  }

  boolean isOver() {
    return closed.get();
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (closed.compareAndSet(false, true)) {
      super.close(status, trailers);
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    if (!closed.get()) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public void sendMessage(A message) {
    if (!closed.get()) {
      super.sendMessage(message);
    }
  }
}
