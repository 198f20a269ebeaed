package org.svcmailbox.grpc.call;

import java.time.Duration;
import java.util.Optional;
import org.svcmailbox.core.delivery.RecvRequest;

/** Ends the wait of a RECV before the call's deadline, so that the answer arrives in time. */
final class RecvWait {
  /** The time that the answer takes to the client. */
  static final Duration MARGIN = Duration.ofMillis(100);

  private RecvWait() {}

  /**
   * Returns the request, with a shorter wait if necessary.
   *
   * @param remaining time until the deadline; empty without one
   */
  static RecvRequest within(RecvRequest request, Optional<Duration> remaining) {
    Duration most = remaining.map(left -> left.minus(MARGIN)).orElse(RecvRequest.MAX_WAIT);
    if (request.maxWait().compareTo(most) <= 0) {
      return request;
    }
    return new RecvRequest(
        request.topic(),
        request.visibility(),
        request.maxMessages(),
        request.maxBytes(),
        most.isNegative() ? Duration.ZERO : most,
        request.shard());
  }
}
