package org.svcmailbox.client.loop;

import org.jspecify.annotations.Nullable;

/**
 * An application's work on one request. It must tolerate receiving a request twice, and should
 * return soon after its thread is interrupted.
 *
 * @param <T> the type of the request
 * @param <R> the output
 */
@FunctionalInterface
public interface RequestHandler<T, R> {
  /**
   * Handles a request.
   *
   * @return the output of the result
   * @throws Exception if the request should be delivered again later
   */
  @Nullable R handle(MainLoopRequest<T> request) throws Exception;
}
