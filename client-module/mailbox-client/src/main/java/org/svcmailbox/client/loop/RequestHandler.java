package org.svcmailbox.client.loop;

import org.jspecify.annotations.Nullable;

/**
 * An application's work on one request. Must tolerate meeting a request twice, and should end soon
 * after its thread is interrupted.
 *
 * @param <T> what is asked for
 * @param <R> the output
 */
@FunctionalInterface
public interface RequestHandler<T, R> {
  /**
   * Handles a request.
   *
   * @return the output of the result
   * @throws Exception to have the request delivered again after a while
   */
  @Nullable R handle(MainLoopRequest<T> request) throws Exception;
}
