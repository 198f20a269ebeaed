package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Reading;
import org.svcmailbox.client.service.ServiceProblem;

/**
 * One kind of call: its path, and the meaning of its answers.
 *
 * @param <A> the answer
 */
interface Endpoint<A> {
  /** The path of the call for one task. The one for many is below it, at {@code /batch}. */
  String path();

  /** The HTTP method of a call with a body. */
  default String method() {
    return "POST";
  }

  /** The headers that only this call has. */
  default Map<String, String> headers() {
    return Map.of();
  }

  /**
   * Whether it extends leases. Then it does not wait for a place among the connections, because
   * other calls may hang longer than a lease. It ends at once when the mailbox closes.
   */
  default boolean isHeartbeat() {
    return false;
  }

  /** The field of a batch that holds its elements. */
  String elements();

  /**
   * Reads a successful answer, or the result of one element.
   *
   * @throws IOException if it is anything else
   */
  A read(JsonNode result) throws IOException;

  /**
   * Interprets a problem.
   *
   * @param lost the failure of an earlier attempt that may have done the task; null for none
   */
  default Reading<A> read(
      String call, ServiceProblem problem, @Nullable MailboxConnectionException lost) {
    return new Reading.Refused<>(Failure.of(call, problem.status(), problem));
  }
}
