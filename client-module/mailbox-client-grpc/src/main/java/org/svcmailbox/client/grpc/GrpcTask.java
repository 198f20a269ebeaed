package org.svcmailbox.client.grpc;

import com.google.protobuf.MessageLite;
import org.svcmailbox.client.service.RepeatedTask;
import org.svcmailbox.client.service.ServiceDriver.Span;

/**
 * An element of a call, repeated as often as necessary.
 *
 * @param <Q> the element
 * @param <A> the answer
 */
final class GrpcTask<Q extends MessageLite, A> extends RepeatedTask<A> {
  private final Q element;

  GrpcTask(Q element, int payloadBytes, Span span) {
    super(payloadBytes, span.begun(), span.deadline());
    this.element = element;
  }

  Q element() {
    return element;
  }

  @Override
  protected long bytes() {
    return element.getSerializedSize();
  }
}
