package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.codec.Codecs;

/**
 * The answer to a {@link MainLoopRequest}: an output, or an error.
 *
 * @param requestId the request's id; of a request that could not be decoded, its message's
 *     correlation id, or else the message's id
 * @param output what the handler returned; null after an error
 * @param error why there is no output; null if the handler returned
 * @param sessionId which loop answered: each has a random id
 * @param completedAt when, by the loop's clock
 * @param <R> the output
 */
public record MainLoopResult<R>(
    String requestId,
    @Nullable R output,
    @Nullable String error,
    String sessionId,
    Instant completedAt) {

  /** Checks that what must be there is there. */
  public MainLoopResult {
    requireNonNull(requestId, "requestId");
    requireNonNull(sessionId, "sessionId");
    requireNonNull(completedAt, "completedAt");
  }

  /**
   * JSON of results.
   *
   * @param type the type of {@link #output()}
   */
  public static <R> Codec<MainLoopResult<R>> json(Class<R> type) {
    return json((Type) type);
  }

  /**
   * JSON of results.
   *
   * @param type the type of {@link #output()}; must describe {@code R}
   */
  public static <R> Codec<MainLoopResult<R>> json(Type type) {
    return Codecs.json(new ParameterizedBody(MainLoopResult.class, type));
  }
}
