package org.svcmailbox.client.grpc;

import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.ServiceProblem;

/**
 * The result of one call.
 *
 * @param <A> the answer
 */
sealed interface GrpcOutcome<A> {
  /**
   * It was answered.
   *
   * @param token of the call; never shown
   */
  record Answer<A>(A message, String token) implements GrpcOutcome<A> {
    /** Without the message and the token. */
    @Override
    public String toString() {
      return "Answer";
    }
  }

  /** The service refused it. */
  record Refused<A>(ServiceProblem problem, Failure failure) implements GrpcOutcome<A> {}

  /**
   * There is no answer, or one that is not the service's.
   *
   * @param status the corresponding HTTP status, 0 for none
   */
  record None<A>(int status, Failure failure) implements GrpcOutcome<A> {}
}
