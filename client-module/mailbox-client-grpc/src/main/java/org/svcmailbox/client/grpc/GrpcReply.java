package org.svcmailbox.client.grpc;

import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Problem;

/**
 * The result of one call.
 *
 * @param <A> the answer
 */
sealed interface GrpcReply<A> {
  /**
   * It was answered.
   *
   * @param token of the call; never shown
   */
  record Answer<A>(A message, String token) implements GrpcReply<A> {
    /** Without the message and the token. */
    @Override
    public String toString() {
      return "Answer";
    }
  }

  /** The service refused it. */
  record Refused<A>(Problem problem, Failure failure) implements GrpcReply<A> {}

  /**
   * There is no answer, or none of the service.
   *
   * @param status that HTTP has for it, 0 for none
   */
  record None<A>(int status, Failure failure) implements GrpcReply<A> {}
}
